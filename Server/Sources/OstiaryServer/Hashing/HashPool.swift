import Foundation
internal import OstiaryCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Threads for hashing and nothing else, so that Swift's own are never blocked.
///
/// Memory is bounded by workers times the memory of one hash; waiting, by a queue that refuses when it is full. The
/// threads run at a lower priority than the rest of the process: a flood of logins takes the time that is left over,
/// and a request that needs no hash does not queue behind one.
final class HashPool: Sendable {
  private let state: Locked<State>
  private let line = HashQueue()

  private struct State {
    var admitted = 0
    var lastDuration = Duration.milliseconds(80)
  }

  let workers: Int
  /// How many may be in the pool at once, hashing or waiting.
  let capacity: Int

  init(workers: Int, queue: Int) {
    self.workers = max(workers, 1)
    capacity = self.workers + max(queue, 0)
    state = Locked(State())
    for index in 0..<self.workers {
      let thread = Thread { [line] in
        Self.yieldToOthers()
        while let job = line.next() { job() }
      }
      thread.name = "ostiary-hash-\(index)"
      #if canImport(Darwin)
        thread.qualityOfService = .utility
      #endif
      thread.start()
    }
  }

  deinit { line.close() }

  /// Runs `body` holding one of the pool's places; inside it, ``run(_:)`` never finds the queue full.
  /// - Throws: `overloaded` at once when there is no place, with an estimate of when there may be one.
  func withPlace<Value: Sendable>(_ body: () async throws(ServerError) -> Value) async throws(ServerError) -> Value {
    let wait: Duration? = state.withLock { state in
      guard state.admitted >= capacity else {
        state.admitted += 1
        return nil
      }
      return max(.seconds(1), state.lastDuration * (capacity / workers))
    }
    if let wait {
      throw ServerError(
        .overloaded, "Too many passwords are being checked at once.", advice: "Try again shortly.", retryAfter: wait)
    }
    defer { state.withLock { $0.admitted -= 1 } }
    return try await body()
  }

  /// Runs `work` on one of the pool's threads.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(ServerError) -> Value
  ) async throws(ServerError) -> Value {
    let result: Result<Value, ServerError> = await withCheckedContinuation { continuation in
      line.add { [state] in
        let start = ContinuousClock.now
        let result = Result { () throws(ServerError) in try work() }
        let duration = ContinuousClock.now - start
        state.withLock { $0.lastDuration = duration }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  private static func yieldToOthers() {
    #if os(Linux)
      // On Linux this is the calling thread's own nice value, not the process's.
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    #endif
  }
}
