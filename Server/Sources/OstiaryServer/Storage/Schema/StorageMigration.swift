/// One step from an older database to today's. Its name is kept in the database once it has been taken.
package struct StorageMigration: Sendable {
  let name: String
  let steps: [SchemaStep]

  init(_ name: String, _ steps: SchemaStep...) {
    self.name = name
    self.steps = steps
  }
}

/// A part of a migration. Features declare them; see ``StorageDialect`` for how they are written.
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
