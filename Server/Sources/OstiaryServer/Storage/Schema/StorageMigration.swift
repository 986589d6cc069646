internal import GRDB

/// One step from an older database to today's. Its name is kept in the database once it has been taken.
package struct StorageMigration: Sendable {
  let name: String
  let steps: [SchemaStep]

  init(_ name: String, _ steps: SchemaStep...) {
    self.name = name
    self.steps = steps
  }
}

/// A part of a migration. Features declare them; see `StorageDialect` for how they are written.
enum SchemaStep: Sendable {
  /// Tables and indexes.
  case tables(StaticString)
  /// A statement that runs after every change of a table.
  case trigger(StaticString, after: SchemaEvent, on: StaticString, run: StaticString)
  /// Changes what older tables contain.
  case fill(@Sendable (StorageConnection) throws -> Void)
}

/// What a trigger waits for.
enum SchemaEvent: String, Sendable {
  case insert = "INSERT"
  case update = "UPDATE"
  case delete = "DELETE"
}

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
