import Foundation

/// How a storage runs the bodies of its calls.
struct StorageHabits: Sendable {
  /// Whether each body that writes is run, rolled back and run again. An engine may have to do that when transactions
  /// conflict, so a body must only read and write the database.
  var rehearses = false
  /// Notified of every statement.
  var recorder: StatementRecorder?
  var leases = LeaseHabits()

  /// The habits of a storage without others. Debug builds rehearse and record if the environment has
  /// `OSTIARY_REHEARSAL`, as it has in the tests (`Scripts/test.sh`).
  static let standard: StorageHabits = {
    var habits = StorageHabits()
    #if DEBUG
      if ProcessInfo.processInfo.environment["OSTIARY_REHEARSAL"] == "1" {
        habits.rehearses = true
        habits.recorder = StatementRecorder()
      }
    #endif
    return habits
  }()
}
