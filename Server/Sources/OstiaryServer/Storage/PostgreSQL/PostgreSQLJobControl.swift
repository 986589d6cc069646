import Dispatch
internal import OstiaryCore
internal import OstiaryPostgreSQL

/// Ends a running job when its caller is cancelled, and never the next job of the same connection.
final class PostgreSQLJobControl: Sendable {
  private enum State {
    case waiting
    case running(PostgreSQLInterrupter)
    case cancelled
  }

  private let state = Locked(State.waiting)

  /// The job's statements begin.
  /// - Throws: `CancellationError` if its caller was cancelled before.
  func begin(_ interrupter: PostgreSQLInterrupter) throws {
    try state.withLock { state in
      if case .cancelled = state { throw CancellationError() }
      state = .running(interrupter)
    }
  }

  /// The job's statements have ended.
  func end() {
    state.withLock { state in
      if case .running = state { state = .waiting }
    }
  }

  var isCancelled: Bool {
    state.withLock { state in
      if case .cancelled = state { true } else { false }
    }
  }

  /// The caller was cancelled.
  func cancel() {
    // The request to the server takes a connection of its own: no thread of Swift's tasks waits for it.
    DispatchQueue.global().async { [state] in
      // With the lock held: the job can't end, and the next one begin, before the server has got the request.
      state.withLock { state in
        if case .running(let interrupter) = state { interrupter.interrupt() }
        state = .cancelled
      }
    }
  }
}
