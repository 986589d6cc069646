/// Does something when a time is over, unless it is cancelled before.
package struct OneTimer: Sendable {
  private let timer: Task<Void, Never>?

  /// Starts the time.
  /// - Parameters:
  ///   - duration: how long; `nil` never ends.
  ///   - body: is called once, in a task of its own.
  package init(
    after duration: Duration?, clock: any SessionClock, _ body: @escaping @Sendable () async -> Void
  ) {
    timer = duration.map { duration in
      Task {
        guard (try? await clock.sleep(for: duration)) != nil, !Task.isCancelled else { return }
        await body()
      }
    }
  }

  /// Ends the time: what has not begun is not done.
  package func cancel() { timer?.cancel() }
}
