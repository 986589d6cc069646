/// What is looked at whenever a database is opened, when its tables are there.
protocol StorageOpening: Sendable {
  /// Whether there is nothing to write. It only reads.
  func isSettled(in db: StorageConnection) throws -> Bool
  /// Settles it, or refuses the database.
  func settle(in db: StorageConnection) throws
}

/// Nothing is looked at.
struct NoOpening: StorageOpening {
  func isSettled(in db: StorageConnection) throws -> Bool { true }
  func settle(in db: StorageConnection) throws {}
}
