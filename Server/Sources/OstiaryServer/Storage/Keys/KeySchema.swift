/// The tables by which servers that share a database change its key; see <doc:ChangingTheKey>. A database whose key was never changed
/// has no row in them but those of the servers.
enum KeySchema {
  static let migration = StorageMigration("24: keys of the server that follow each other", keys, nodes)

  private static let keys = SchemaStep.tables(
    """
    CREATE TABLE server_keys (
      number INTEGER PRIMARY KEY,
      -- As in key_check.
      check_value BLOB NOT NULL,
      -- See KeyStage.
      stage TEXT NOT NULL,
      -- When it was offered, when it was put to use, and when every server used it.
      offered_at REAL NOT NULL,
      used_at REAL,
      settled_at REAL,
      -- Until when what was made with the key before it counts; known when every server uses it.
      needed_until REAL,
      -- When all that was sealed with the key before it had been sealed with it. Until then: where that has got to, and the server that
      -- does it, for as long.
      resealed_at REAL,
      resealed_part INTEGER NOT NULL DEFAULT 0,
      resealed_place BLOB,
      resealer TEXT,
      resealer_until REAL NOT NULL DEFAULT 0,
      -- The key, sealed with the one before it; and that one, sealed with this one. Null when that one is retired.
      under_former BLOB,
      former_under BLOB,
      -- Of a retired key: its KeyRemains, sealed with the newest key.
      remains BLOB
    ) STRICT;
    """)

  private static let nodes = SchemaStep.tables(
    """
    CREATE TABLE key_nodes (
      id TEXT PRIMARY KEY,
      version TEXT NOT NULL,
      seen_at REAL NOT NULL,
      -- The newest key that the server has, the one that it uses, and the one with which it would start again (0: none of them).
      known INTEGER NOT NULL,
      used INTEGER NOT NULL,
      kept INTEGER NOT NULL
    ) STRICT;
    """)
}
