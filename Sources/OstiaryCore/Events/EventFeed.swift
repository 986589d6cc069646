/// Feeds a stream of events, and ends it when no sender is left.
final class EventFeed: Sendable {
  private let continuation: AsyncStream<SessionEvent>.Continuation

  init(_ continuation: AsyncStream<SessionEvent>.Continuation) {
    self.continuation = continuation
  }

  deinit { continuation.finish() }

  func send(_ event: SessionEvent) { continuation.yield(event) }
}
