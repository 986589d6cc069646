/// The table of wrong passwords.
enum ThrottleSchema {
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
