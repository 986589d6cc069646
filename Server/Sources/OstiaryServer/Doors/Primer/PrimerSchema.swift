/// The door's tables.
enum PrimerSchema {
  static let migration = StorageMigration("7: the Primer door", tables)

  private static let tables = SchemaStep.tables(
    """
    CREATE TABLE primer_events (
      -- In the order they came.
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      -- The SHA-256 of the app and the id that its sender gave it: an event that comes again is not another.
      id_hash BLOB NOT NULL UNIQUE,
      -- The SHA-256 of the app's token.
      app BLOB NOT NULL,
      event TEXT NOT NULL,
      -- The bytes of all events that came before this one: what to remove is found by it.
      begins_at INTEGER NOT NULL,
      received_at REAL NOT NULL
    ) STRICT;
    CREATE INDEX primer_events_by_place ON primer_events (begins_at);

    -- The known facts about an app's users.
    CREATE TABLE primer_identities (
      app BLOB NOT NULL,
      anonymous_id TEXT NOT NULL,
      user_id TEXT,
      is_logged_in INTEGER NOT NULL,
      -- Whether a flow was begun.
      has_seen INTEGER NOT NULL,
      properties TEXT NOT NULL,
      updated_at REAL NOT NULL,
      PRIMARY KEY (app, anonymous_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX primer_identities_by_user ON primer_identities (app, user_id) WHERE user_id IS NOT NULL;
    CREATE INDEX primer_identities_by_age ON primer_identities (updated_at);
    """)
}
