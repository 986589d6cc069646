public import Logging

/// What an authenticator may use while it works: the way to the server, the time, and a log.
public struct AuthenticationContext: Sendable {
  /// Sends requests. It follows no redirect and keeps no cookie; see `RedirectFollower`.
  public let transport: any Transport
  /// Tells the time.
  public let clock: any SessionClock
  /// Takes messages. Nothing secret may reach it.
  public let logger: Logger
  /// The challenge that began a sign-in, on the first attempt to answer it; `nil` when the app signs in by itself, and
  /// on later attempts, when what the challenge held may be used up.
  public let challenge: Challenge?
  /// The session that the sign-in replaces, whose proof the server refused.
  public let previous: Session?

  /// Makes a context.
  public init(
    transport: any Transport, clock: any SessionClock = .system, logger: Logger = Logger(label: "ostiary"),
    challenge: Challenge? = nil, previous: Session? = nil
  ) {
    self.transport = transport
    self.clock = clock
    self.logger = logger
    self.challenge = challenge
    self.previous = previous
  }
}
