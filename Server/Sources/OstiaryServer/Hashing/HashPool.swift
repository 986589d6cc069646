import Foundation
internal import OstiaryCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Threads for hashing and nothing else, so that Swift's own are never blocked.
///
/// Memory is bounded by workers times the memory of one hash; waiting, by a queue that refuses when it is full. No account
/// and no address can have more places than it leaves free, however right its passwords are, and of those that wait those go
/// first whose account and address had the fewest when they came: so one that floods the pool keeps no other out. The
/// threads run at a lower priority than the rest of the process: a flood of logins takes the time that is left over,
/// and a request that needs no hash does not queue behind one.
final class HashPool: Sendable {
  private let state: Locked<State>
  private let line = HashQueue()

  private struct State {
    var admitted = 0
    /// The places of each account and of each address.
    var held: [Data: Int] = [:]
    var lastDuration = Duration.milliseconds(80)
    var refused = 0
  }

  /// One of the pool's places.
  struct Place: Sendable {
    /// The places that its account or address had already.
    fileprivate let rank: Int
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

  /// Runs `body` holding one of the pool's places; inside it, ``run(at:_:)`` never finds the queue full.
  /// - Throws: `overloaded` at once when there is no place for that share, with an estimate of when there may be one.
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

  /// How many have found no place.
  var refused: Int { state.withLock { $0.refused } }

  /// How many wait for a thread.
  var waiting: Int { line.count }

  /// Runs `work` on one of the pool's threads.
  func run<Value: Sendable>(
    at place: Place, _ work: @escaping @Sendable () throws(ServerError) -> Value
  ) async throws(ServerError) -> Value {
    let result: Result<Value, ServerError> = await withCheckedContinuation { continuation in
      line.add(rank: place.rank) { [state] in
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

/// Whose password is hashed, and for whom: what the places of a `HashPool` are shared by.
struct PoolShare: Sendable {
  /// The keys that it counts for.
  let keys: [Data]

  /// - Parameters:
  ///   - account: the account, by the text that was typed; nil for a new password.
  ///   - address: where it comes from. The programs of this machine share an address, and are no one client.
  init(account: Data?, address: ClientAddress?) {
    keys = [account.map { Data("account".utf8) + $0 }, address?.limitBucket.map { Data("address".utf8) + $0 }]
      .compactMap { $0 }
  }
}
