internal import GRDB

/// One step from an older database to the current one. The database keeps its name once it has been run.
package struct StorageMigration: Sendable {
  let name: String
  let steps: [SchemaStep]

  init(_ name: String, _ steps: SchemaStep...) {
    self.name = name
    self.steps = steps
  }
}

/// A part of a migration. Features declare them; see `StorageDialect` for their form.
enum SchemaStep: Sendable {
  /// Tables and indexes.
  case tables(StaticString)
  /// A statement that runs after every change of a table.
  /// - Parameter isForFile: whether SQLite alone has it.
  case trigger(StaticString, after: SchemaEvent, on: StaticString, run: StaticString, isForFile: Bool = false)
  /// Changes the content of older tables.
  case fill(@Sendable (StorageConnection) throws -> Void)
}

/// The event that starts a trigger.
enum SchemaEvent: String, Sendable {
  case insert = "INSERT"
  case update = "UPDATE"
  case delete = "DELETE"
}

/// Makes the tables, and migrates older ones.
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
      throw ServerError.storageTooNew
    }
    // Several processes may open a new folder at once. A process that comes second in a step finds the tables made, and the step
    // recorded when it checks again.
    for _ in 0..<5 {
      do { return try migrator.migrate(writer) } catch let error as DatabaseError
        where error.resultCode == .SQLITE_ERROR
      {}
    }
    try migrator.migrate(writer)
  }
}

extension ServerError {
  /// The database was written by a newer server.
  static var storageTooNew: ServerError {
    ServerError(
      .storageTooNew, "The database was written by a newer Ostiary.", advice: "Update this one, or use another folder.")
  }
}
