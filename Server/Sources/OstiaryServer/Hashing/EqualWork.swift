internal import OstiaryCore

/// Does for nothing what a password that was looked at has left of the work that every password costs.
protocol WorkFilling: Sendable {
  /// Hashes for nothing what `own` leaves of `work`.
  /// - Parameters:
  ///   - own: the parameters of the hash that was looked at, if there was one, in the time `spent`.
  ///   - hash: computes one hash.
  func fill(
    _ work: Int, own: HashParameters?, spent: Duration, hash: (HashParameters) throws(ServerError) -> Void
  ) throws(ServerError)
}

/// Makes looking at a cheap old hash, at today's, and at none at all cost the same.
///
/// By its formula argon2id's time is memory times passes. By the clock it is not quite: two passes over little memory
/// stay in the processor's cache, one pass over much does not. So the time of a hash of today's parameters is
/// remembered, and an older one is followed by hashing for nothing until that time has been spent too.
final class EqualWork: WorkFilling {
  private let parameters: HashParameters
  private let typical = Locked<Duration?>(nil)

  /// Below this the clock is too coarse and the formula does better; only parameters for tests are that cheap.
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
    // Each round leaves a few hundredths of what it found; what is less than one is lost in the noise.
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

// Which of the modules that have it `timespec` is from depends on what the compiler has read before.
#if canImport(CoreFoundation)
  internal import CoreFoundation
#endif
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The processor time of the calling thread: what work costs, whoever else is busy.
enum ThreadClock {
  static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
