public import Logging

/// What an authenticator may use while it works: the way to the server, the time, and a log.
public struct AuthenticationContext: Sendable {
  /// Sends requests. It follows no redirect and keeps no cookie; see `RedirectFollower`.
  public let transport: any Transport
  /// Tells the time.
  public let clock: any SessionClock
  /// Takes messages. Nothing secret may reach it.
  public let logger: Logger

  /// Makes a context.
  public init(transport: any Transport, clock: any SessionClock = .system, logger: Logger = Logger(label: "ostiary")) {
    self.transport = transport
    self.clock = clock
    self.logger = logger
  }
}
