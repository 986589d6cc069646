/// The door's tables.
enum SalesforceSchema {
  static let migration = StorageMigration("5: the Salesforce door", tables)

  private static let tables = SchemaStep.tables(
    """
    -- What the server has made for itself: the consumer key of its own app, which is no secret, and the key that
    -- security tokens follow from.
    CREATE TABLE salesforce_keys (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Cases, and phones that want to be told of news.
    CREATE TABLE salesforce_records (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      org TEXT NOT NULL,
      object TEXT NOT NULL,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      fields TEXT NOT NULL,
      created_at REAL NOT NULL,
      updated_at REAL NOT NULL
    ) STRICT;
    CREATE INDEX salesforce_records_by_object ON salesforce_records (org, object);
    CREATE INDEX salesforce_records_by_user ON salesforce_records (user_id);
    """)
}
