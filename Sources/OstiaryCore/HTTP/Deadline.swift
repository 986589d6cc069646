internal import Foundation

/// Runs `operation` and cancels it when `duration` has passed.
///
/// It waits for the cancelled operation to end, so `operation` has to honour cancellation.
/// - Throws: what `operation` throws, what `timedOut` makes when the time ran out first, or `CancellationError` when the
///   calling task is cancelled.
package func withDeadline<Result: Sendable>(
  _ duration: Duration,
  operation: @escaping @Sendable () async throws -> Result,
  timedOut: @escaping @Sendable () -> OstiaryError
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result.self) { group in
    group.addTask(operation: operation)
    group.addTask {
      try await Task.sleep(for: duration.clampedForTimers)
      throw timedOut()
    }
    defer { group.cancelAll() }
    guard let result = try await group.next() else { throw timedOut() }
    return result
  }
}

extension Duration {
  /// The duration, no less than zero and no more than a year: what timers take without overflowing.
  package var clampedForTimers: Duration { min(max(self, .zero), .seconds(365 * 24 * 3600)) }

  /// The whole nanoseconds of ``clampedForTimers``.
  package var clampedNanoseconds: Int64 {
    let parts = clampedForTimers.components
    return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
  }
}
