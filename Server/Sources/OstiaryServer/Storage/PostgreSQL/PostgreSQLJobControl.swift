import Dispatch
internal import OstiaryCore
internal import OstiaryPostgreSQL

/// Ends a running job when its caller is cancelled, and never the next job of the same connection.
final class PostgreSQLJobControl: Sendable {
  private struct State {
    /// Interrupts the statements that run.
    var running: PostgreSQLInterrupter?
    var isCancelled = false
  }

  private let state = Locked(State())

  /// The job's statements begin.
  /// - Throws: `CancellationError` if its caller was cancelled before.
  func begin(_ interrupter: PostgreSQLInterrupter) throws {
    try state.withLock { state in
      if state.isCancelled { throw CancellationError() }
      state.running = interrupter
    }
  }

  /// The job's statements have ended.
  func end() { state.withLock { $0.running = nil } }

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// The caller was cancelled. A job that has not begun does not begin.
  func cancel() {
    let isRunning = state.withLock { state in
      state.isCancelled = true
      return state.running != nil
    }
    guard isRunning else { return }
    // The request to the server takes a connection of its own: no thread of Swift's tasks waits for it.
    DispatchQueue.global().async { [state] in
      // With the lock held: the job can't end, and the next one begin, before the server has got the request.
      state.withLock { state in
        if let running = state.running { running.interrupt() }
      }
    }
  }
}
