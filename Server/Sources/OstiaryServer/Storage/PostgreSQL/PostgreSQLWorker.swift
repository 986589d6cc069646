import Foundation
internal import OstiaryCore
internal import OstiaryPostgreSQL

/// One thread's connection, with which it runs transactions one after the other.
final class PostgreSQLWorker {
  private let connect: PostgreSQLConnector
  private let habits: StorageHabits
  private let timelines: PostgreSQLTimelines?
  private var session: PostgreSQLSession?
  /// Whether the session's timeline was noted.
  private var isNoted = false

  /// - Parameter timelines: nil for a worker that makes the tables, or copies them.
  init(_ connect: PostgreSQLConnector, _ habits: StorageHabits, timelines: PostgreSQLTimelines? = nil) {
    self.connect = connect
    self.habits = habits
    self.timelines = timelines
  }

  /// Runs a body in a transaction, again where transactions conflict or the connection broke before its COMMIT.
  /// - Parameters:
  ///   - control: notified of the statements' begin and end.
  ///   - call: notified of each further attempt.
  func run<Value>(
    _ kind: PostgreSQLTransaction.Kind, _ control: PostgreSQLJobControl? = nil, _ call: StorageCall? = nil,
    _ body: (StorageConnection) throws -> Value
  ) throws -> Value {
    var attempts = PostgreSQLAttempts()
    while true {
      let session = try live()
      try control?.begin(session.interrupter)
      defer { control?.end() }
      let transaction = PostgreSQLTransaction(
        session, kind, isOnLoan: connect.isBehindTransactionPooler,
        noteTimeline: { [timelines] in timelines?.isAllowed == true ? PostgreSQLTimelines.text : nil })
      do {
        if kind == .write { try noteTimeline(session) }
        return try once(transaction, kind, body)
      } catch let error as PostgreSQLTransaction.UnknownOutcome {
        self.session = nil
        throw error
      } catch {
        if session.transaction != .idle { self.session = nil }
        // What a body makes of a failure is no decision: the transaction had ended before.
        guard let failure = transaction.failure ?? (error as? PostgreSQLFailure) else { throw error }
        if kind == .long { throw error }
        switch attempts.next(after: failure) {
        case .fail: throw failure
        case .again(let limit, let newConnection):
          if newConnection { self.session = nil }
          call?.retried(newConnection ? .connection : .conflict)
          // This thread is the engine's own: no task waits for it but those whose turn has not come.
          Thread.sleep(forTimeInterval: Double.random(in: 0...limit.timeInterval))
        }
      }
    }
  }

  private func once<Value>(
    _ transaction: PostgreSQLTransaction, _ kind: PostgreSQLTransaction.Kind,
    _ body: (StorageConnection) throws -> Value
  ) throws -> Value {
    let connection = StorageConnection(transaction, recorder: habits.recorder)
    let value: Value
    do {
      if kind == .write, habits.rehearses { try transaction.rehearse { _ = try body(connection) } }
      value = try body(connection)
    } catch {
      transaction.rollBack()
      throw error
    }
    try transaction.commit()
    return value
  }

  private func noteTimeline(_ session: PostgreSQLSession) throws(PostgreSQLFailure) {
    guard !isNoted, let timelines else { return }
    try timelines.note(session)
    isNoted = true
  }

  private func live() throws(PostgreSQLFailure) -> PostgreSQLSession {
    if let session, session.isAlive, session.transaction == .idle { return session }
    session = nil
    isNoted = false
    let new = try connect()
    session = new
    return new
  }
}
