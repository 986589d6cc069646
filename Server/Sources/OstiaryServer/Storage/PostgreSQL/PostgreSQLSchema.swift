internal import OstiaryPostgreSQL

/// Makes the tables in PostgreSQL, and migrates older ones. Where nothing is to be made it only reads.
enum PostgreSQLSchema {
  private static let oldest = 13

  /// All in one transaction: a database has all tables of a version, or none. Several servers may start at once.
  static func migrate(
    _ worker: PostgreSQLWorker, with migrations: [StorageMigration], _ opening: any StorageOpening
  ) throws {
    _ = try worker.run(.migrate) { db in
      let transaction = try db.postgreSQL
      try check(transaction)
      try PostgreSQLRights.demand(in: db)
      try db.lockSchema()
      try opening.begin(in: db)
      let found = try transaction.run(
        "SELECT to_regclass(quote_ident(current_schema()) || '.ostiary_migrations') IS NOT NULL", keepsPrepared: false)
      // A database that takes no writes refuses the statement also where the table is there.
      if found.bool(0, 0) != true {
        try transaction.run(
          script: """
            CREATE TABLE IF NOT EXISTS ostiary_migrations
              (name TEXT COLLATE "C" PRIMARY KEY, applied_at DOUBLE PRECISION NOT NULL)
            """)
      }
      let rows = try transaction.run("SELECT name FROM ostiary_migrations", keepsPrepared: false)
      let known = Set((0..<rows.count).compactMap { rows.text($0, 0) })
      guard known.isSubset(of: migrations.map(\.name)) else { throw ServerError.storageTooNew }
      for migration in migrations where !known.contains(migration.name) {
        for step in migration.steps {
          if let text = StorageDialect.postgreSQL.text(of: step) { try transaction.run(script: text) }
          if case .fill(let body) = step { try body(db) }
        }
        _ = try transaction.run(
          "INSERT INTO ostiary_migrations VALUES ($1, extract(epoch FROM clock_timestamp()))", [.text(migration.name)])
      }
      if try !opening.isSettled(in: db) { try opening.settle(in: db) }
    }
  }

  /// Refuses a server that would store something else than it is given.
  private static func check(_ transaction: PostgreSQLTransaction) throws {
    let rows = try transaction.run(
      "SELECT current_setting('server_version_num')::bigint / 10000, current_setting('server_encoding')",
      keepsPrepared: false)
    if let version = rows.integer(0, 0), version < oldest {
      throw ServerError(
        .storageDenied, "PostgreSQL \(version) is too old.", advice: "Use version \(oldest) or newer.")
    }
    if let encoding = rows.text(0, 1), encoding != "UTF8" {
      throw ServerError(
        .storageDenied, "The database has the encoding \(encoding).",
        advice: "Make one with ENCODING 'UTF8' TEMPLATE template0.")
    }
  }
}
