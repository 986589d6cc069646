import Foundation
internal import OstiaryCore

/// How often something may be guessed.
struct GuessRules: Hashable, Sendable {
  /// A wait that grows with each wrong guess in a row.
  struct Ladder: Hashable, Sendable {
    var free: Int
    var first: TimeInterval
    var longest: TimeInterval

    /// The wait after so many wrong guesses.
    func wait(after failures: Int) -> TimeInterval {
      guard failures >= free else { return 0 }
      return min(first * pow(2, Double(min(failures - free, 64))), longest)
    }

    /// The same waits, after more wrong guesses.
    func times(_ factor: Int) -> Ladder { Ladder(free: free * factor, first: first, longest: longest) }
  }

  /// A number of guesses at once, and one more in each interval.
  struct Bucket: Hashable, Sendable {
    var burst: Double
    var interval: TimeInterval

    func times(_ factor: Double) -> Bucket { Bucket(burst: burst * factor, interval: interval / factor) }
  }

  /// For a known device, and for each network.
  var calm: Ladder
  /// For each unknown network, while the subject is under attack.
  var strict: Ladder
  /// For a provider's network.
  var provider: Bucket
  /// More wrong guesses than these put a subject under attack.
  var pressure: Bucket
  /// For a network and all subjects together.
  var network: Bucket

  /// An IPv4 /24 or an IPv6 /48 has so many times the budget of an address.
  static let siteFactor = 4
  static let networkSiteFactor = 8.0
  static let networkProviderFactor = 64.0
  /// The longest wait of all.
  static let day: TimeInterval = 86_400
  /// Wrong guesses in a row are remembered for this time after the last.
  static let memory: TimeInterval = 7 * day

  init(_ limits: LoginLimits) {
    calm = Ladder(
      free: max(limits.freeFailures, 1), first: limits.firstWait.timeInterval, longest: limits.longestWait.timeInterval)
    strict = Ladder(free: 1, first: limits.attackWait.timeInterval, longest: Self.day)
    provider = Bucket(burst: 100, interval: 36)
    pressure = Bucket(burst: Double(limits.attackThreshold), interval: 3600 / Double(limits.attackThreshold))
    network = Bucket(burst: Double(max(limits.addressBurst, 1)), interval: limits.addressInterval.timeInterval)
  }
}
