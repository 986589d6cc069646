/// The table of wrong guesses. It stores names, networks and devices only as keyed hashes.
enum GuessSchema {
  /// The earlier version's counts by account are not copied: they ended within an hour.
  static let migration = StorageMigration(
    "10: budgets of guesses",
    .tables(
      """
      CREATE TABLE guesses (
        subject BLOB NOT NULL,
        part BLOB NOT NULL,
        failures INTEGER NOT NULL,
        at REAL NOT NULL,
        forget_at REAL NOT NULL,
        PRIMARY KEY (subject, part)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX guesses_by_end ON guesses (forget_at);
      DROP TABLE IF EXISTS failures;
      """))

  /// The first version's counts, by account.
  static let failures = SchemaStep.tables(
    """
    CREATE TABLE failures (
      name_key BLOB PRIMARY KEY,
      count INTEGER NOT NULL,
      blocked_until REAL NOT NULL,
      updated_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX failures_by_age ON failures (updated_at);
    """)
}
