/// The table of those who may ask the server from elsewhere.
enum AdministratorSchema {
  static let migration = StorageMigration("14: administrators", tables)

  private static let tables = SchemaStep.tables(
    """
    CREATE TABLE administrators (
      name TEXT PRIMARY KEY,
      -- A keyed hash: neither the table nor a copy of it opens anything.
      token_hash BLOB NOT NULL UNIQUE,
      made_at REAL NOT NULL,
      expires_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    """)
}
