public import HTTPTypes

/// Lets requests through to a server that takes proof one request after another: what it gives with one answer is what the next
/// request has to show.
///
/// It must let a request through at once where the server takes several, and after its patience in any case: an answer that never comes
/// must not hold up the others. It must end a wait when the task is cancelled, and must not send or ask.
public protocol RequestTurns: Sendable {
  /// Waits until a request may be sent.
  /// - Parameters:
  ///   - isRepeated: whether it is sent again because its proof was stale.
  ///   - patience: how long it waits at most.
  ///   - clock: measures that.
  /// - Returns: what to end when the answer's head has been looked at.
  /// - Throws: `CancellationError`.
  func turn(
    for request: HTTPRequest, isRepeated: Bool, within patience: Duration, by clock: any SessionClock
  ) async throws -> RequestTurn
}

/// One request's turn. It ends once: when ``end()`` is called, and at the latest when it is not held any more.
public final class RequestTurn: Sendable {
  private let over: Locked<(@Sendable () -> Void)?>

  /// Makes a turn.
  /// - Parameter over: is called once, when the next request may go.
  public init(over: @escaping @Sendable () -> Void) {
    self.over = Locked(over)
  }

  deinit { end() }

  /// Lets the next request go.
  public func end() {
    over.withLock { $0.take() }?()
  }
}
