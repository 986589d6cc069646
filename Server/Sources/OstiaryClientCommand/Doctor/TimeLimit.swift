internal import Foundation
internal import OstiaryCore

/// Waits for work no longer than a time, also for work that can't be cancelled, such as the system's look-up of a name. Such work
/// goes on, and its result is dropped.
enum TimeLimit {
  /// - Returns: `nil` when the time was over first.
  static func run<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let waiter = Locked<CheckedContinuation<Value?, Never>?>(nil)
    @Sendable func finish(_ value: Value?) {
      let continuation = waiter.withLock { waiter in
        defer { waiter = nil }
        return waiter
      }
      continuation?.resume(returning: value)
    }
    let tasks = Locked<[Task<Void, Never>]>([])
    let value = await withCheckedContinuation { continuation in
      waiter.withLock { $0 = continuation }
      let working = Task { finish(await work()) }
      let waiting = Task {
        try? await Task.sleep(for: limit)
        finish(nil)
      }
      tasks.withLock { $0 = [working, waiting] }
    }
    for task in tasks.withLock({ $0 }) { task.cancel() }
    return value
  }

  /// Runs work that blocks on a thread of its own.
  static func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: work()) }
    }
  }
}
