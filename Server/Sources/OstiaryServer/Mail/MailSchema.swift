/// The tables of mail.
enum MailSchema {
  static let outbox = SchemaStep.tables(
    """
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
