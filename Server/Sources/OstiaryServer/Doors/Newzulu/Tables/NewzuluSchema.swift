/// The door's tables.
enum NewzuluSchema {
  static let migration = StorageMigration("3: the Newzulu door", tables)

  private static let tables = SchemaStep.tables(
    """
    -- Gives users numbers: ids are numbers here.
    CREATE TABLE newzulu_accounts (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
      last_login REAL
    ) STRICT;

    -- The key that the server made for itself. Every copy of an app has it, so it is no secret.
    CREATE TABLE newzulu_keys (api_key TEXT PRIMARY KEY) STRICT;

    CREATE TABLE newzulu_files (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      vhost TEXT NOT NULL,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      message TEXT NOT NULL,
      filename TEXT NOT NULL,
      type TEXT NOT NULL,
      channel TEXT NOT NULL,
      size INTEGER NOT NULL,
      part_size INTEGER NOT NULL,
      -- 1 queued, 3 ready, 5 incomplete as the vendor counts; 0 given up.
      status INTEGER NOT NULL,
      -- Whether a moderator has approved it, so that every caller sees it.
      is_moderated INTEGER NOT NULL DEFAULT 0,
      created_at REAL NOT NULL,
      updated_at REAL NOT NULL
    ) STRICT;
    CREATE INDEX newzulu_files_by_vhost ON newzulu_files (vhost, id);
    CREATE INDEX newzulu_files_by_owner ON newzulu_files (user_id, status);
    CREATE INDEX newzulu_files_by_age ON newzulu_files (status, updated_at);

    CREATE TABLE newzulu_parts (
      file_id INTEGER NOT NULL REFERENCES newzulu_files (id) ON DELETE CASCADE,
      part INTEGER NOT NULL,
      size INTEGER NOT NULL,
      etag TEXT NOT NULL,
      -- The name of its file, in the folder of its upload.
      name TEXT NOT NULL,
      PRIMARY KEY (file_id, part)
    ) STRICT, WITHOUT ROWID;
    """)
}
