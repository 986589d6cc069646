/// The table of one-time numbers.
enum NumberSchema {
  static let numbers = SchemaStep.tables(
    """
    -- Numbers that have been used, or are in use; see OneTimeNumbers.
    CREATE TABLE one_time_numbers (
      kind TEXT NOT NULL,
      -- Keyed with what is not in the database.
      number BLOB NOT NULL,
      -- The use that may release it; empty for a number that is valid once.
      owner BLOB NOT NULL,
      expires_at REAL NOT NULL,
      PRIMARY KEY (kind, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX one_time_numbers_by_expiry ON one_time_numbers (kind, expires_at);
    """)
}
