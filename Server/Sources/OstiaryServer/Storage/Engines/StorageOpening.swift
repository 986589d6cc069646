/// What is looked at whenever a database is opened, before its tables are made and when they are there.
protocol StorageOpening: Sendable {
  /// Whether ``begin(in:)`` writes.
  var writesFirst: Bool { get }
  /// Looks at a database whose tables are not made or migrated yet, or refuses it.
  func begin(in db: StorageConnection) throws
  /// Whether there is nothing to write. It only reads.
  func isSettled(in db: StorageConnection) throws -> Bool
  /// Settles it, or refuses the database.
  func settle(in db: StorageConnection) throws
}

extension StorageOpening {
  var writesFirst: Bool { false }

  /// Refuses a database that is out of use.
  func begin(in db: StorageConnection) throws { try db.demandUse() }
}

/// Nothing more is looked at.
struct NoOpening: StorageOpening {
  func isSettled(in db: StorageConnection) throws -> Bool { true }
  func settle(in db: StorageConnection) throws {}
}
