/// The tables by which several nodes agree on what has ended; see <doc:SeveralServers>. With SQLite they stay empty.
enum LeaseSchema {
  /// The tables are of one database: a copy of its content leaves them out.
  static let tables: Set<String> = ["nodes", "ends", "ends_counter", "key_nodes"]

  static let migration = StorageMigration(
    "18: servers that share the database, and what has ended", nodes, ends, counting)

  private static let counting = SchemaStep.fill { db in
    guard db.announcesEnds else { return }
    try db.run(LeaseStatements.sql.beginCounting)
    // Earlier versions made them for PostgreSQL, too.
    for (name, table) in epochTriggers {
      try db.execute(script: "DROP TRIGGER IF EXISTS \(name) ON \(table); DROP FUNCTION IF EXISTS \(name)()")
    }
  }

  private static let epochTriggers = [
    ("users_changed_for_tokens", "users"), ("users_deleted_for_tokens", "users"),
    ("clients_changed_for_tokens", "clients"), ("clients_deleted_for_tokens", "clients"),
    ("secrets_added_for_tokens", "client_secrets"), ("secrets_changed_for_tokens", "client_secrets"),
    ("secrets_deleted_for_tokens", "client_secrets"),
  ]

  static let nodes = SchemaStep.tables(
    """
    CREATE TABLE nodes (
      id TEXT PRIMARY KEY,
      version TEXT NOT NULL,
      since REAL NOT NULL,
      -- By the database's clock, where the node asks for leases.
      seen_at REAL NOT NULL,
      -- How often ends have begun to wait for the node.
      listing INTEGER NOT NULL DEFAULT 0,
      -- The newest end that a question of the node was shown; null while ends don't wait for the node.
      shown INTEGER,
      -- Every end up to this one has been applied to the node's caches.
      applied INTEGER,
      -- The database that has given these numbers; null before the first question.
      system INTEGER,
      timeline INTEGER,
      CHECK ((shown IS NULL) = (applied IS NULL)),
      CHECK ((system IS NULL) = (timeline IS NULL))
    ) STRICT;
    """)

  static let ends = SchemaStep.tables(
    """
    CREATE TABLE ends (
      number INTEGER PRIMARY KEY,
      -- See LeaseEnd.Kind.
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      at REAL NOT NULL
    ) STRICT;
    CREATE INDEX ends_by_time ON ends (at);

    -- One row. Its lock puts the ends into the order of their commits, as a sequence would not.
    CREATE TABLE ends_counter (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      number INTEGER NOT NULL,
      -- Where the last one was counted, and since when ends have been counted there.
      system INTEGER,
      timeline INTEGER,
      since REAL
    ) STRICT;
    INSERT INTO ends_counter (id, number) VALUES (1, 0);
    """)
}
