import Foundation

/// How a storage runs the bodies of its calls.
struct StorageHabits: Sendable {
  /// Whether each body that writes is run, rolled back and run again. An engine may have to do that when transactions
  /// conflict, so a body must only read and write the database.
  var rehearses = false
  /// Notified of every statement.
  var recorder: StatementRecorder?
  var leases = LeaseHabits()
  /// For how many seconds a write waits for another process that writes to SQLite's file.
  var busyTimeout: TimeInterval = 5
  /// For how long a statement of PostgreSQL's is waited for.
  var answerTime = Duration.seconds(10)

  /// The habits of a storage without others. Debug builds rehearse and record if the environment has
  /// `OSTIARY_REHEARSAL`, and have much patience if it has `OSTIARY_PATIENT`, as it has in the tests (`Scripts/test.sh`).
  static let standard: StorageHabits = {
    var habits = StorageHabits()
    #if DEBUG
      let environment = ProcessInfo.processInfo.environment
      if environment["OSTIARY_REHEARSAL"] == "1" {
        habits.rehearses = true
        habits.recorder = StatementRecorder()
      }
      if environment["OSTIARY_PATIENT"] == "1" { habits.haveTime() }
    #endif
    return habits
  }()

  /// Waits for a database however slow its machine is, which the tests need: that a call would have been refused says nothing of it.
  mutating func haveTime() {
    busyTimeout = 120
    answerTime = .seconds(120)
    leases.terms.proof = .seconds(120)
  }
}
