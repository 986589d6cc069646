internal import GRDB

/// The tables of the self-service flows and of the mail they send.
enum FlowSchema {
  static func create(in db: GRDB.Database) throws {
    try db.execute(
      sql: """
        -- Flows in which something was submitted; before that they travel with the client.
        CREATE TABLE flows (
          id_hash BLOB PRIMARY KEY,
          kind TEXT NOT NULL,
          step TEXT NOT NULL,
          subject BLOB,
          user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
          generation INTEGER,
          pending TEXT,
          -- Keyed with what is not in the database; see FlowCode.
          code_hash BLOB,
          code_expires_at REAL NOT NULL,
          attempts INTEGER NOT NULL,
          sends INTEGER NOT NULL,
          sent_at REAL NOT NULL,
          expires_at REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX flows_by_subject ON flows (subject) WHERE subject IS NOT NULL;
        CREATE INDEX flows_by_expiry ON flows (expires_at);

        CREATE TABLE outbox (
          id BLOB PRIMARY KEY,
          -- The whole message, under a key that is not in the database.
          sealed BLOB NOT NULL,
          attempts INTEGER NOT NULL,
          due_at REAL NOT NULL,
          expires_at REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX outbox_by_due ON outbox (due_at);

        -- What each address was sent, whether or not anything was.
        CREATE TABLE mail_counts (
          address_key BLOB PRIMARY KEY,
          count INTEGER NOT NULL,
          since REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mail_counts_by_age ON mail_counts (since);
        """)
  }
}
