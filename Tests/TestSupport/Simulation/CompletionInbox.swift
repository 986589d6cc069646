package import Dispatch
import OstiaryCore

/// What completion blocks tell a life, which come on a queue: the life takes it on its own thread, after each step.
package final class CompletionInbox: Sendable {
  private struct News: @unchecked Sendable {
    // Used by the thread of the life alone.
    let tell: () -> Void
  }
  private struct Telling<Value>: @unchecked Sendable {
    let tell: (Value) -> Void
  }

  /// The queue that the completion blocks come on.
  package let queue = DispatchQueue(label: "completions of a life")
  private let news = Locked<[News]>([])

  package init() {}

  /// A completion block that tells the life.
  package func telling<Value: Sendable>(_ tell: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
    let telling = Telling(tell: tell)
    return { [news] value in news.withLock { $0.append(News { telling.tell(value) }) } }
  }

  /// Waits for what is on the queue, and tells it.
  package func settle() {
    queue.sync {}
    let all = news.withLock { news in
      defer { news = [] }
      return news
    }
    for one in all { one.tell() }
  }
}
