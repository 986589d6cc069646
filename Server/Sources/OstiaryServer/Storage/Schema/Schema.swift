internal import GRDB

/// Makes the tables, and older ones today's.
enum Schema {
  static func migrate(_ writer: any DatabaseWriter, with migrations: [StorageMigration]) throws {
    var migrator = DatabaseMigrator()
    for migration in migrations {
      migrator.registerMigration(migration.name) { db in
        for step in migration.steps {
          if let text = StorageDialect.sqlite.text(of: step) { try db.execute(sql: text) }
          if case .fill(let body) = step { try body(StorageConnection(db)) }
        }
      }
    }
    if try writer.read(migrator.hasBeenSuperseded) {
      throw ServerError(
        .storageTooNew, "The database was written by a newer Ostiary.",
        advice: "Update this one, or use another folder.")
    }
    // Several processes may open a new folder at once. The process that comes second in a step finds its tables made, and the step done
    // when it looks again.
    for _ in 0..<5 {
      do { return try migrator.migrate(writer) } catch let error as DatabaseError
        where error.resultCode == .SQLITE_ERROR
      {}
    }
    try migrator.migrate(writer)
  }
}
