/// Feeds a stream of events, and ends it when nobody is left who could tell of any.
final class EventFeed: Sendable {
  private let continuation: AsyncStream<SessionEvent>.Continuation

  init(_ continuation: AsyncStream<SessionEvent>.Continuation) {
    self.continuation = continuation
  }

  deinit { continuation.finish() }

  func send(_ event: SessionEvent) { continuation.yield(event) }
}
