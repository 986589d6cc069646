internal import Foundation
internal import OstiaryCore

/// Waits on 127.0.0.1 for one callback (RFC 8252 §7.3 and §8.3).
///
/// Every program and every page on this machine can send to it. So only the callback that is expected ends the wait,
/// whoever else calls and whatever they say; heads are small, connections few and short, the oldest making way for the
/// newest; and requests under another host's name, which a page elsewhere can make a browser send, are refused.
final class CallbackListener: Sendable {
  private struct State: Sendable {
    var isStopped = false
    var result: URL?
    var isOver = false
    var waiter: CheckedContinuation<URL, any Error>?
    /// The end of the pipe that wakes the thread; `nil` once the thread has closed it.
    var wake: Int32?
  }

  /// The port that is listened on.
  let port: Int
  private let state: Locked<State>

  /// Begins to listen.
  /// - Parameters:
  ///   - port: 0 lets the system choose a free one.
  ///   - text: what the browser shows when all is well.
  ///   - expected: whether a request target is the callback that is waited for. Called on the listener's thread.
  init(port: UInt16, path: String, text: String, expected: @escaping @Sendable (String) -> URL?) throws {
    let listener = try CallbackSocket.listen(port: port)
    let wake: (read: Int32, write: Int32)
    do {
      wake = try CallbackSocket.pipe()
    } catch {
      CallbackSocket.close(listener.descriptor)
      throw error
    }
    self.port = listener.port
    state = Locked(State(wake: wake.write))
    let loop = CallbackLoop(
      listener: listener.descriptor, wake: wake.read, port: listener.port, path: path, text: text, expected: expected)
    let thread = Thread { [self] in
      let result = loop.run { self.state.withLock { $0.isStopped } }
      finish(result)
    }
    thread.name = "OAuthCallback"
    thread.start()
  }

  /// The callback.
  /// - Throws: `CancellationError` when the task is cancelled or the listener is stopped.
  func callback() async throws -> URL {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<URL, any Error>? in
          if let result = state.result { return .success(result) }
          if state.isOver { return .failure(CancellationError()) }
          state.waiter = continuation
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      stop()
    }
  }

  /// Ends the wait. The port is free soon afterwards.
  func stop() {
    // Under the lock, because the descriptor's number may belong to somebody else as soon as it is closed.
    state.withLock { state in
      state.isStopped = true
      if let wake = state.wake { CallbackSocket.signal(wake) }
    }
  }

  private func finish(_ result: URL?) {
    let waiter = state.withLock { state -> CheckedContinuation<URL, any Error>? in
      if let wake = state.wake { CallbackSocket.close(wake) }
      state.wake = nil
      state.result = result
      state.isOver = true
      defer { state.waiter = nil }
      return state.waiter
    }
    if let result { waiter?.resume(returning: result) } else { waiter?.resume(throwing: CancellationError()) }
  }
}
