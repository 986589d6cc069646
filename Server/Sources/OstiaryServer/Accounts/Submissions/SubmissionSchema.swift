/// The table of the submissions that have been acted upon.
enum SubmissionSchema {
  static let migration = StorageMigration(
    "15: repeated submissions",
    .tables(
      """
      -- What the first submission of a form led to, for one that is sent again; see SubmissionStore.
      CREATE TABLE repeated_submissions (
        -- The SHA-256 of the flow's number.
        flow BLOB NOT NULL,
        -- The flow's turn when the form was drawn.
        turn INTEGER NOT NULL,
        -- Keyed with what is not in the database, as the outcome is sealed.
        digest BLOB NOT NULL,
        form TEXT NOT NULL,
        is_accepted INTEGER NOT NULL,
        -- How often its form was sent with another content since.
        misses INTEGER NOT NULL DEFAULT 0,
        next_turn INTEGER NOT NULL,
        -- NULL only within the transaction that makes the row.
        outcome BLOB,
        -- The end of the flow.
        expires_at REAL NOT NULL,
        PRIMARY KEY (flow, turn, digest)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX repeated_submissions_by_expiry ON repeated_submissions (expires_at);
      """))
}
