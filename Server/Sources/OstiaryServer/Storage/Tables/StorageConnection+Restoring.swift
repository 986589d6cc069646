/// A database that a back-up is being restored into. It has a mark until all of it is there and in the newest form; no server opens
/// it meanwhile, nor after a restore that was killed.
extension StorageConnection {
  private static let mark = "ostiary_restoring"

  /// Refuses a database whose content is elsewhere, or not complete.
  func demandUse() throws {
    if let place = try movedTo { throw ServerError.storageMoved(place) }
    if try hasTable(Self.mark) { throw ServerError.storageIncomplete }
  }

  /// Marks a database for a restore, and removes what an earlier one has left, or a server that was never used.
  /// - Parameters:
  ///   - id: names this restore.
  ///   - migrations: all that are known.
  /// - Throws: `storageDenied` if there are users, or a server uses it; `storageTooNew`, `storageMoved`.
  func beginRestore(_ id: String, knowing migrations: [StorageMigration]) throws {
    if let place = try movedTo { throw ServerError.storageMoved(place) }
    let applied = try appliedMigrations()
    let known = migrations.filter { applied.contains($0.name) }
    guard known.count == applied.count else { throw ServerError.storageTooNew }
    if try !hasTable(Self.mark), try hasTable("users") { try demandNoUsers() }
    try demandNoServer()
    try removeTables(of: known)
    try execute(script: "DROP TABLE IF EXISTS \(Self.mark); CREATE TABLE \(Self.mark) (id TEXT NOT NULL)")
    try execute("INSERT INTO \(Self.mark) VALUES ($1)", [.text(id)])
  }

  /// Refuses a database that another restore has begun, or ended.
  func demandRestore(_ id: String) throws {
    let current = try hasTable(Self.mark) ? rows("SELECT id FROM \(Self.mark)", kinds: [.text]).first?.first : nil
    guard current == .text(id) else {
      throw ServerError(
        .storageFailed, "Another restore uses the target.", advice: "Let one of them end, and begin it again.")
    }
  }

  /// Lets servers open the database.
  func endRestore(_ id: String) throws {
    try demandRestore(id)
    try execute(script: "DROP TABLE \(Self.mark)")
  }

  /// - Throws: `storageDenied` if there are users.
  func demandNoUsers() throws {
    guard try rows("SELECT id FROM users LIMIT 1", kinds: [.text]).isEmpty else {
      throw ServerError(
        .storageDenied, "The target has users already.", advice: "Take an empty folder, or an empty database.")
    }
  }

  /// Refuses a database that a server was on a moment ago. SQLite's file is judged before (``StoragePlace/demandAlone()``).
  private func demandNoServer() throws {
    guard dialect == .postgreSQL, try hasTable("nodes") else { return }
    let seen = try rows(
      """
      SELECT id FROM nodes
        WHERE seen_at > CAST(extract(epoch FROM clock_timestamp()) AS double precision) - 30 LIMIT 1
      """, kinds: [.text])
    guard seen.isEmpty else {
      throw ServerError(
        .storageDenied, "A server uses the target.", advice: "Stop it, wait half a minute, and begin again.")
    }
  }

  /// Removes the tables that these migrations have made, with their rows.
  private func removeTables(of migrations: [StorageMigration]) throws {
    let isPostgreSQL = dialect == .postgreSQL
    let names = try TableShape.all(of: migrations).reversed().map(\.name) + LeaseSchema.tables.sorted()
    for name in names { try execute(script: "DROP TABLE IF EXISTS \(name)\(isPostgreSQL ? " CASCADE" : "")") }
    if isPostgreSQL {
      for case .trigger(let name, _, _, _, _) in migrations.flatMap(\.steps) {
        try execute(script: "DROP FUNCTION IF EXISTS \(name)()")
      }
    }
    try execute(script: "DROP TABLE IF EXISTS \(migrationsTable.name)")
  }
}

/// What the database says of its tables.
extension StorageConnection {
  private var migrationsTable: (name: String, column: String) {
    switch dialect {
    case .sqlite: ("grdb_migrations", "identifier")
    case .postgreSQL: ("ostiary_migrations", "name")
    }
  }

  /// The names of the migrations that were run; none for a database without tables.
  func appliedMigrations() throws -> Set<String> {
    let (table, column) = migrationsTable
    guard try hasTable(table) else { return [] }
    return Set(
      try rows("SELECT \(column) FROM \(table)", kinds: [.text]).compactMap { row in
        if case .text(let name) = row.first { name } else { nil }
      })
  }

  func hasTable(_ name: String) throws -> Bool {
    let found =
      switch dialect {
      case .sqlite: try rows("SELECT name FROM sqlite_schema WHERE name = $1", [.text(name)], kinds: [.text])
      case .postgreSQL: try rows("SELECT to_regclass($1)::text", [.text(name)], kinds: [.text])
      }
    if case .text = found.first?.first { return true }
    return false
  }
}

extension ServerError {
  /// A restore into the database has not ended.
  static var storageIncomplete: ServerError {
    ServerError(
      .storageIncomplete, "A back-up is being restored into this database, or was not restored to its end.",
      advice: "Wait for it, or run `ostiary database restore` again.", retryAfter: .seconds(30))
  }
}
