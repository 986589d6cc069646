internal import CoreMetrics
import Foundation
internal import OstiaryCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Threads for hashing only: hashing never blocks the threads of Swift's concurrency.
///
/// Memory is at most the number of workers times the memory of one hash; a queue that refuses when it is full bounds
/// the waiting calls. An account or an address can hold at most as many places as it leaves free, even with right
/// passwords. A waiting call goes first if its account and address held fewer places when it came: a client that floods
/// the pool keeps no other client out. The threads run at a lower priority than the rest of the process: a flood of
/// logins uses only spare time, and a request that needs no hash does not wait for one.
final class HashPool: Sendable {
  private let state: Locked<State>
  private let line = HashQueue()
  private let waits: DurationMetric

  /// The time that calls wait for a thread.
  static let waitDefinition = MetricDefinition(
    "ostiary_hash_wait_seconds", .histogram, "Time that a password waited for a thread that hashes it.")

  private struct State {
    var admitted = 0
    /// The places of each account and of each address.
    var held: [Data: Int] = [:]
    var lastDuration = Duration.milliseconds(80)
    var refused = 0
  }

  /// One of the pool's places.
  struct Place: Sendable {
    /// The places that its account or address held already.
    fileprivate let rank: Int
  }

  let workers: Int
  /// The most calls that may be in the pool at once, hashing or waiting.
  let capacity: Int

  init(workers: Int, queue: Int, metrics: any MetricsFactory = NOOPMetricsHandler.instance) {
    waits = DurationMetric(Self.waitDefinition, metrics)
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

  /// Runs `body` holding one of the pool's places; inside it, ``run(at:_:)`` never finds the queue full.
  /// - Throws: `overloaded` at once if `share` gets no place, with an estimate of when there may be one.
  func withPlace<Value: Sendable>(
    for share: PoolShare, _ body: (Place) async throws(ServerError) -> Value
  ) async throws(ServerError) -> Value {
    let (place, wait): (Place?, Duration) = state.withLock { state in
      let wait = max(.seconds(1), state.lastDuration * (capacity / workers))
      let rank = share.keys.map { state.held[$0] ?? 0 }.max() ?? 0
      guard rank < capacity - state.admitted else {
        state.refused += 1
        return (nil, wait)
      }
      state.admitted += 1
      for key in share.keys { state.held[key, default: 0] += 1 }
      return (Place(rank: rank), wait)
    }
    guard let place else {
      throw ServerError(
        .overloaded, "Too many passwords are being checked at once.", advice: "Try again shortly.", retryAfter: wait)
    }
    defer { giveBack(share) }
    return try await body(place)
  }

  private func giveBack(_ share: PoolShare) {
    state.withLock { state in
      state.admitted -= 1
      for key in share.keys {
        let rest = (state.held[key] ?? 1) - 1
        state.held[key] = rest > 0 ? rest : nil
      }
    }
  }

  /// How many calls were refused because there was no place.
  var refused: Int { state.withLock { $0.refused } }

  /// How many calls wait for a thread.
  var waiting: Int { line.count }

  /// Runs `work` on one of the pool's threads.
  func run<Value: Sendable>(
    at place: Place, _ work: @escaping @Sendable () throws(ServerError) -> Value
  ) async throws(ServerError) -> Value {
    let span = TraceSpan.child(.passwordHash)
    defer { span?.end() }
    let queued = ContinuousClock.now
    let result: Result<Value, ServerError> = await withCheckedContinuation { continuation in
      line.add(rank: place.rank) { [state, waits] in
        let start = ContinuousClock.now
        waits.record(queued.duration(to: start))
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

/// The account and the address of a password check, among which the places of a `HashPool` are shared.
struct PoolShare: Sendable {
  /// The keys under which its places are counted.
  let keys: [Data]

  /// - Parameters:
  ///   - account: the account, by the text that was typed; nil for a new password.
  ///   - address: the client's address. The programs of this machine share an address, and are not counted as one client.
  init(account: Data?, address: ClientAddress?) {
    keys = [account.map { Data("account".utf8) + $0 }, address?.limitBucket.map { Data("address".utf8) + $0 }]
      .compactMap { $0 }
  }
}
