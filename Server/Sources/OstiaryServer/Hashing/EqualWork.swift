internal import OstiaryCore

/// Fills up the work of a password check to the amount that every check costs.
protocol WorkFilling: Sendable {
  /// Computes hashes that are discarded, for the part of `work` that `own` has not used.
  /// - Parameters:
  ///   - own: the parameters of the hash that was verified, if there was one, in the time `spent`.
  ///   - hash: computes one hash.
  func fill(
    _ work: Int, own: HashParameters?, spent: Duration, hash: (HashParameters) throws(ServerError) -> Void
  ) throws(ServerError)
}

/// Gives a check against an old cheap hash, against a hash of today's parameters, and against no hash the same cost.
///
/// By its formula argon2id's time is memory times passes. By the clock it is not quite: two passes over little memory
/// stay in the processor's cache, one pass over much does not. The time of a hash of today's parameters is therefore
/// remembered, and after an older hash, hashes are computed and discarded until that time is used up.
final class EqualWork: WorkFilling {
  private let parameters: HashParameters
  private let typical = Locked<Duration?>(nil)

  /// Below this time the clock is too coarse and the formula is more exact; only parameters for tests are that cheap.
  private static let shortest = Duration.milliseconds(5)

  init(parameters: HashParameters) {
    self.parameters = parameters
  }

  func fill(
    _ work: Int, own: HashParameters?, spent: Duration, hash: (HashParameters) throws(ServerError) -> Void
  ) throws(ServerError) {
    let start = ThreadClock.now
    if own == parameters { remember(spent) }
    guard let own, own != parameters, let typical = typical.withLock({ $0 }), typical >= Self.shortest else {
      guard let padding = HashParameters(padding: work - (own?.work ?? 0), within: parameters) else { return }
      try hash(padding)
      if padding == parameters, own == nil { remember(ThreadClock.now - start) }
      return
    }
    let target = typical * (Double(work) / Double(parameters.work))
    // Each round leaves a few hundredths of the remaining time; a remainder below one hash is lost in the noise.
    for _ in 0..<4 {
      let left = 1 - (spent + (ThreadClock.now - start)) / target
      guard left > 0.01, let padding = HashParameters(padding: Int(Double(work) * left), within: parameters) else {
        return
      }
      try hash(padding)
    }
  }

  private func remember(_ time: Duration) {
    typical.withLock { typical in typical = typical.map { $0 * 0.875 + time * 0.125 } ?? time }
  }
}

// `timespec` comes from one of several modules; which one depends on what the compiler has read before.
#if canImport(CoreFoundation)
  internal import CoreFoundation
#endif
#if canImport(CDispatch)
  internal import CDispatch
#endif
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The processor time of the calling thread: the cost of its work, however busy other threads are.
enum ThreadClock {
  static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
