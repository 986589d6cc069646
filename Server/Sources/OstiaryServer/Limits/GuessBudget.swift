import Foundation

/// The scopes in which wrong guesses are counted.
enum GuessScope: Int, CaseIterable, Hashable, Sendable {
  /// The subject, by a device that is known to it.
  case device
  /// The subject, from an IPv4 address or IPv6 /64.
  case host
  /// The subject, from an IPv4 /24 or IPv6 /48.
  case site
  /// The subject, from an IPv6 /32.
  case provider
  /// The subject, from everywhere.
  case everywhere
  /// All subjects, from an IPv4 address or IPv6 /64.
  case hostOfAll
  /// All subjects, from an IPv4 /24 or IPv6 /48.
  case siteOfAll
  /// All subjects, from an IPv6 /32.
  case providerOfAll

  /// Whether it counts for all subjects together.
  var isOfAll: Bool { rawValue >= Self.hostOfAll.rawValue }
}

/// The count in a scope.
struct GuessCount: Hashable, Sendable {
  /// Wrong guesses in a row; used by a ladder.
  var failures = 0
  /// The time of the last wrong guess; for a bucket, the time at which it will be empty.
  var at: TimeInterval

  /// Whether the count has no effect any more.
  func isForgotten(at now: TimeInterval, _ scope: GuessScope) -> Bool { forgottenAt(scope) <= now }

  func forgottenAt(_ scope: GuessScope) -> TimeInterval {
    switch scope {
    case .device, .host, .site: at + GuessRules.memory
    default: at
    }
  }
}

/// The decision about a guess before it is verified.
enum GuessDecision: Hashable, Sendable {
  /// The guess may be verified once these counts are stored: it counts as wrong until it is known to be right.
  case allow([GuessScope: GuessCount])
  /// The guess is not verified before so many seconds are over, because of that scope.
  case wait(TimeInterval, GuessScope)
}

/// Decides whether a guess is verified. A value: it has no clock, lock or database.
///
/// A known device has a count of its own, and no other guess changes it. Every network has a count of its own with each subject:
/// one network's guesses don't make another network wait. Only guesses from a wider network around it do. Many wrong guesses from
/// everywhere make the waits of each network longer, and never cause the first wait.
struct GuessBudget: Hashable, Sendable {
  let rules: GuessRules

  /// The scopes in which a guess is counted.
  static func scopes(network: GuessNetwork?, isKnownDevice: Bool) -> [GuessScope] {
    if isKnownDevice { return [.device] }
    guard let network else { return [.host, .everywhere] }
    let scopes: [GuessScope] = [.host, .site, .everywhere, .hostOfAll, .siteOfAll]
    return network.provider == nil ? scopes : scopes + [.provider, .providerOfAll]
  }

  /// - Parameters:
  ///   - counts: the counts so far.
  ///   - scopes: the scopes in which the guess is counted.
  func decide(_ counts: [GuessScope: GuessCount], _ scopes: [GuessScope], now: TimeInterval) -> GuessDecision {
    let isStrict = isUnderAttack(counts, now: now)
    var worst: (wait: TimeInterval, scope: GuessScope)?
    var new: [GuessScope: GuessCount] = [:]
    for scope in scopes {
      let known = counts[scope].flatMap { isOver($0, scope, now: now) ? nil : $0 }
      let (wait, next) =
        if let ladder = ladder(scope, isStrict: isStrict) {
          Self.step(known, ladder, now: now)
        } else {
          Self.step(known, bucket(scope), now: now)
        }
      // The guesses from everywhere make the waits longer. They are no reason to wait.
      if wait > 0, scope != .everywhere, wait > worst?.wait ?? 0 { worst = (wait, scope) }
      new[scope] = next
    }
    return worst.map { .wait($0.wait, $0.scope) } ?? .allow(new)
  }

  /// Whether the subject is under attack, by the number of recent wrong guesses.
  func isUnderAttack(_ counts: [GuessScope: GuessCount], now: TimeInterval) -> Bool {
    guard let count = counts[.everywhere], !isOver(count, .everywhere, now: now) else { return false }
    // A full bucket has to drain by one before the next guess.
    return count.at - now > rules.pressure.interval * (rules.pressure.burst - 1)
  }

  /// Whether a count says nothing any more, or more than guesses can have come to: then the machine's clock was set back, and a
  /// bucket that is kept would stay full until the clock is where it was.
  private func isOver(_ count: GuessCount, _ scope: GuessScope, now: TimeInterval) -> Bool {
    guard !count.isForgotten(at: now, scope) else { return true }
    guard ladder(scope, isStrict: false) == nil else { return false }
    let bucket = bucket(scope)
    return count.at - now > bucket.interval * (bucket.burst + 1.5)
  }

  private static func step(_ known: GuessCount?, _ ladder: GuessRules.Ladder, now: TimeInterval) -> (
    TimeInterval, GuessCount
  ) {
    guard let known else { return (0, GuessCount(failures: 1, at: now)) }
    // A last guess in the future means that the machine's clock was set back.
    let rest = min(known.at, now) + ladder.wait(after: known.failures) - now
    return (max(rest, 0), GuessCount(failures: known.failures + 1, at: now))
  }

  private static func step(_ known: GuessCount?, _ bucket: GuessRules.Bucket, now: TimeInterval) -> (
    TimeInterval, GuessCount
  ) {
    // Never a greater debt than can be made: the machine's clock may have been set back a little.
    let clear = min(max(known?.at ?? now, now), now + bucket.interval * bucket.burst)
    return (max(clear - now - bucket.interval * (bucket.burst - 1), 0), GuessCount(at: clear + bucket.interval))
  }

  private func ladder(_ scope: GuessScope, isStrict: Bool) -> GuessRules.Ladder? {
    switch scope {
    case .device: rules.calm
    case .host: isStrict ? rules.strict : rules.calm
    case .site: (isStrict ? rules.strict : rules.calm).times(GuessRules.siteFactor)
    default: nil
    }
  }

  /// The size and the interval of a scope's bucket.
  func bucket(_ scope: GuessScope) -> GuessRules.Bucket {
    switch scope {
    case .provider: rules.provider
    case .hostOfAll: rules.network
    case .siteOfAll: rules.network.times(GuessRules.networkSiteFactor)
    case .providerOfAll: rules.network.times(GuessRules.networkProviderFactor)
    default: rules.pressure
    }
  }

  // MARK: Afterwards

  /// The change to a count when a guess that it had counted was not wrong.
  enum Change: Hashable, Sendable {
    /// The count is reset.
    case forget
    /// One wrong guess is taken back, and a bucket is empty so many seconds earlier.
    case takeBack(TimeInterval)
  }

  /// - Parameter isRight: false if the guess was not verified.
  func change(_ scope: GuessScope, isRight: Bool) -> Change {
    switch scope {
    case .device, .host: isRight ? .forget : .takeBack(0)
    case .site: .takeBack(0)
    default: .takeBack(bucket(scope).interval)
    }
  }
}
