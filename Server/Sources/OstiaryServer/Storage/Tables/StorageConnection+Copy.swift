internal import GRDB
internal import OstiaryPostgreSQL

extension StorageConnection {
  /// Keeps every other program from writing until the transaction ends. Those that use SQLite's file may read.
  func lock(_ tables: [TableShape]) throws {
    // SQLite's transaction is the only one that writes already.
    guard dialect == .postgreSQL else { return }
    try lockSchema()
    // Nothing weaker: the tables are renamed at the end, and a writer that waits with a row of its own locked would be in the way.
    try execute(script: "LOCK TABLE \(tables.map(\.name).joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE")
  }

  /// Keeps other programs from making or moving tables of PostgreSQL until the transaction ends.
  func lockSchema() throws {
    try execute(script: "SELECT pg_advisory_xact_lock(7887163221)")
  }

  /// Gives all tables to a target.
  func copy(_ tables: [TableShape], to target: inout some CopyTarget) throws {
    for table in tables {
      var digest = TableDigest()
      try forEachPart(of: table) { rows in
        for row in rows { digest.add(row) }
        try target.take(rows, of: table)
      }
      try target.end(table, digest, nextID: nextID(of: table))
    }
  }

  /// Makes the tables empty, without what triggers would do, and gives `body` the time to fill them.
  /// - Throws: `storageFailed` if a table that is not empty after a migration has rows, or there are users.
  func fill(_ tables: [TableShape], migrations: [StorageMigration], _ body: () throws -> Void) throws {
    try demandNoUsers()
    let triggers = migrations.flatMap(\.steps).compactMap {
      step -> (name: StaticString, table: StaticString, step: SchemaStep)? in
      if case .trigger(let name, _, let table, _, _) = step, dialect.text(of: step) != nil {
        (name, table, step)
      } else {
        nil
      }
    }
    for trigger in triggers {
      switch dialect {
      case .sqlite: try execute(script: "DROP TRIGGER \(trigger.name)")
      case .postgreSQL:
        try execute(script: "DROP TRIGGER \(trigger.name) ON \(trigger.table); DROP FUNCTION \(trigger.name)()")
      }
    }
    // What a migration has put there comes with the copy.
    for table in tables.reversed() { try execute("DELETE FROM \(table.name)", []) }
    try body()
    for trigger in triggers {
      if let text = dialect.text(of: trigger.step) { try execute(script: text) }
    }
  }

  /// The id that the engine gives next; nil for a table whose ids are not the engine's.
  func nextID(of table: TableShape) throws -> Int64? {
    guard table.givesIDs, let column = table.key.first.map({ table.columns[$0].name }) else { return nil }
    let row =
      switch dialect {
      case .sqlite:
        try rows("SELECT seq + 1 FROM sqlite_sequence WHERE name = $1", [.text(table.name)], kinds: [.integer]).first
      case .postgreSQL:
        try rows(
          "SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM \(sequence(of: table, column))",
          kinds: [.integer]
        ).first
      }
    if case .integer(let next) = row?.first { return next }
    return 1
  }

  /// Lets the engine give ids from that one on.
  func set(nextID: Int64, of table: TableShape) throws {
    guard table.givesIDs, let column = table.key.first.map({ table.columns[$0].name }) else { return }
    switch dialect {
    case .sqlite:
      try execute("DELETE FROM sqlite_sequence WHERE name = $1", [.text(table.name)])
      try execute("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)", [.text(table.name), .integer(nextID - 1)])
    case .postgreSQL:
      _ = try rows(
        "SELECT setval('\(sequence(of: table, column))', $1, false)", [.integer(nextID)], kinds: [.integer])
    }
  }

  private func sequence(of table: TableShape, _ column: String) throws -> String {
    let row = try rows(
      "SELECT pg_get_serial_sequence('\(table.name)', '\(column)')", kinds: [.text]
    ).first
    guard case .text(let name) = row?.first else {
      throw ServerError(.storageFailed, "\(table.name) has no sequence of ids.", advice: "Report this.")
    }
    return name
  }
}
