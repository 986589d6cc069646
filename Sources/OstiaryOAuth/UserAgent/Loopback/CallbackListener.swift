internal import Foundation
internal import OstiaryCore

/// Waits on a loopback address for one callback (RFC 8252 §7.3 and §8.3).
///
/// Every program and every page on this machine can send to it. So only the expected callback ends the wait, and all
/// other requests are answered and ignored. Heads are small, connections few and short; the oldest makes way for the
/// newest. Requests under another host's name, which a page elsewhere can make a browser send, are refused.
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
  ///   - host: `127.0.0.1`, or `::1`.
  ///   - port: 0 lets the system choose a free one.
  ///   - text: what the browser shows when all is well.
  ///   - entrance: leads a browser to the server's page.
  ///   - expected: whether a request target is the callback that is waited for. Called on the listener's thread.
  init(
    host: String, port: UInt16, path: String, text: String, entrance: LoopbackEntrance,
    expected: @escaping @Sendable (String) -> URL?
  ) throws {
    let (listener, wake) = try Self.listen(host, port)
    self.port = listener.port
    state = Locked(State(wake: wake.write))
    let hosts = Self.names(of: host, listener.port)
    let loop = CallbackLoop(
      listener: listener.descriptor, wake: wake.read, hosts: hosts, path: path, text: text, entrance: entrance,
      expected: expected)
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
    // Under the lock, because the descriptor's number may be given to another file or socket as soon as it is closed.
    state.withLock { state in
      state.isStopped = true
      if let wake = state.wake { LoopbackSocket.signal(wake) }
    }
  }

  private static func listen(
    _ host: String, _ port: UInt16
  ) throws -> (listener: (descriptor: Int32, port: Int), wake: (read: Int32, write: Int32)) {
    do {
      return try LoopbackSocket.listenWithPipe(host: host, port: port, backlog: 64)
    } catch {
      throw OstiaryError(
        .browserUnavailable, "No callback can be waited for on this machine: \(error.reason).",
        advice: "Free the port of the redirect URI, or leave the port out if the server allows any.",
        disposition: .transient(retryAfter: nil), requestMayHaveExecuted: false)
    }
  }

  /// What a browser calls the listener in its `Host` field.
  private static func names(of host: String, _ port: Int) -> Set<String> {
    host == "::1" ? ["[::1]:\(port)"] : ["\(host):\(port)", "localhost:\(port)"]
  }

  private func finish(_ result: URL?) {
    let waiter = state.withLock { state -> CheckedContinuation<URL, any Error>? in
      if let wake = state.wake { LoopbackSocket.close(wake) }
      state.wake = nil
      state.result = result
      state.isOver = true
      defer { state.waiter = nil }
      return state.waiter
    }
    if let result { waiter?.resume(returning: result) } else { waiter?.resume(throwing: CancellationError()) }
  }
}
