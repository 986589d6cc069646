internal import GRDB

extension StorageHabits {
  /// Runs a body that reads.
  func read<Value>(
    in db: GRDB.Database, _ body: (StorageConnection) throws -> Value
  ) throws -> Value {
    try body(StorageConnection(db, recorder: recorder))
  }

  /// Runs a body that writes, in the transaction that is under way.
  func write<Value>(
    in db: GRDB.Database, _ body: (StorageConnection) throws -> Value
  ) throws -> Value {
    let connection = StorageConnection(db, recorder: recorder)
    if rehearses {
      do {
        try db.inSavepoint {
          _ = try body(connection)
          return .rollback
        }
      } catch {
        // If the whole transaction has ended, the body can't be repeated in it.
        guard db.isInsideTransaction else { throw error }
      }
    }
    return try body(connection)
  }
}
