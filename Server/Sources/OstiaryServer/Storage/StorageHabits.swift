import Foundation
internal import GRDB

/// How a storage runs the bodies of its calls.
struct StorageHabits: Sendable {
  /// Whether each body that writes is run, undone and run again. An engine may have to do that where transactions get into
  /// each other's way, so a body must do nothing but read and write the database.
  var rehearses = false
  /// Told of every statement.
  var recorder: StatementRecorder?

  /// What storages have that are given nothing else. Debug builds rehearse where the environment has `OSTIARY_REHEARSAL`, as
  /// `Scripts/test.sh` sets it.
  static let standard: StorageHabits = {
    var habits = StorageHabits()
    #if DEBUG
      habits.rehearses = ProcessInfo.processInfo.environment["OSTIARY_REHEARSAL"] != nil
    #endif
    return habits
  }()

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
        // What ended the transaction itself can't be done again in it.
        guard db.isInsideTransaction else { throw error }
      }
    }
    return try body(connection)
  }
}
