/// The door's tables.
enum SalesforceSchema {
  static let migration = StorageMigration("5: the Salesforce door", tables)

  private static let tables = SchemaStep.tables(
    """
    -- Values that the server has made: the consumer key of its own app, which is not secret, and the key from which
    -- security tokens are derived.
    CREATE TABLE salesforce_keys (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Cases, and phones that are registered for push notifications.
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

  /// The columns that queries read: keys of texts, by which the database compares and sorts, without the texts of records, which
  /// are long. The keys of users are made at the first query, and removed when the user changes.
  static let queries = StorageMigration(
    "13: the Salesforce door's queries", filters, fillFilters,
    .trigger(
      "users_changed_for_salesforce", after: .update, on: "users",
      run: "DELETE FROM salesforce_users WHERE user_id = NEW.id"))

  private static let filters = SchemaStep.tables(
    """
    CREATE TABLE salesforce_filters (
      number INTEGER PRIMARY KEY REFERENCES salesforce_records (number) ON DELETE CASCADE,
      org TEXT NOT NULL,
      object TEXT NOT NULL,
      user_id TEXT NOT NULL,
      created_at REAL NOT NULL,
      updated_at REAL NOT NULL,
      -- The size of the record's JSON.
      bytes INTEGER NOT NULL,
      is_closed INTEGER NOT NULL,
      -- See SOQLKey.
      owner TEXT COLLATE BINARY,
      subject TEXT COLLATE BINARY,
      status TEXT COLLATE BINARY,
      priority TEXT COLLATE BINARY,
      origin TEXT COLLATE BINARY,
      type TEXT COLLATE BINARY,
      reason TEXT COLLATE BINARY,
      supplied_name TEXT COLLATE BINARY,
      supplied_email TEXT COLLATE BINARY,
      supplied_phone TEXT COLLATE BINARY,
      supplied_company TEXT COLLATE BINARY,
      contact TEXT COLLATE BINARY,
      account TEXT COLLATE BINARY,
      connection_token TEXT COLLATE BINARY,
      service_type TEXT COLLATE BINARY,
      application_bundle TEXT COLLATE BINARY,
      network TEXT COLLATE BINARY,
      cipher_name TEXT COLLATE BINARY
    ) STRICT;
    CREATE INDEX salesforce_filters_by_object ON salesforce_filters (org, object);

    CREATE TABLE salesforce_users (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      id TEXT COLLATE BINARY NOT NULL,
      username TEXT COLLATE BINARY,
      name TEXT COLLATE BINARY,
      email TEXT COLLATE BINARY
    ) STRICT, WITHOUT ROWID;
    """)

  /// For the records of earlier versions.
  private static let fillFilters = SchemaStep.fill { db in
    var last: Int64 = 0
    while true {
      let records = try db.all(SalesforceStatements.sql.recordsAfter, last, 100) { try SalesforceFilters(&$0) }
      for record in records { try record.insert(in: db) }
      guard let end = records.last?.number else { return }
      last = end
    }
  }
}
