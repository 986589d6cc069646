/// How attempts are spaced when the network or the server fails: exponential, with jitter, never sooner than the server
/// asked for (`Retry-After`, RFC 9110 §10.2.3).
public struct RetryPolicy: Sendable, Hashable {
  /// How often a sign-in or renewal is tried again in one go. 2.
  public var attempts: Int
  /// The first wait. 250 milliseconds.
  public var base: Duration
  /// The longest wait that is worth it while callers are waiting; a server that asks for more gets its wait, and the
  /// callers an error that says how long. 5 seconds.
  public var longestInline: Duration
  /// The longest wait between attempts. 5 minutes.
  public var longest: Duration

  /// Makes a policy.
  public init(
    attempts: Int = 2,
    base: Duration = .milliseconds(250),
    longestInline: Duration = .seconds(5),
    longest: Duration = .seconds(300)
  ) {
    self.attempts = attempts
    self.base = base
    self.longestInline = longestInline
    self.longest = longest
  }

  /// No second attempt in one go.
  public static var none: RetryPolicy { RetryPolicy(attempts: 0) }

  /// The wait after `failures` failures in a row: between half and all of `base · 2^(failures-1)`, at most `longest`,
  /// at least what the server asked for.
  package func delay(afterFailures failures: Int, asked: Duration? = nil) -> Duration {
    delay(afterFailures: failures, asked: asked, jitter: Double.random(in: 0.5...1))
  }

  func delay(afterFailures failures: Int, asked: Duration?, jitter: Double) -> Duration {
    let doublings = Double(1 << min(max(failures, 1) - 1, 20))
    let wait = min(base.seconds * doublings, longest.seconds) * jitter
    return max(.seconds(wait), asked ?? .zero)
  }
}
