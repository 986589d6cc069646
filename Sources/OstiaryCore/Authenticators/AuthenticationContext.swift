public import Foundation
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
  /// Where the challenge that began a sign-in was met, on every attempt: a place where the server can be asked for another.
  /// `nil` also when the app asked for it in a way that is not safe to repeat (RFC 9110 §9.2.1).
  public let challengedAddress: URL?
  /// The session that the sign-in replaces, whose proof the server refused.
  public let previous: Session?

  /// Makes a context.
  public init(
    transport: any Transport, clock: any SessionClock = .system, logger: Logger = Logger(label: "ostiary"),
    challenge: Challenge? = nil, previous: Session? = nil, challengedAddress: URL? = nil
  ) {
    self.transport = transport
    self.clock = clock
    self.logger = logger
    self.challenge = challenge
    self.previous = previous
    self.challengedAddress = challengedAddress
  }
}

extension AuthenticationContext {
  /// Sends a request with the jar's cookies, follows redirects and keeps the cookies that come, and returns the final
  /// response. Its `url` is where the redirects ended.
  /// - Throws: ``OstiaryError``: the transport's, or the policy's `tooManyRedirects` and `redirectRefused`.
  public func exchange(
    _ request: TransportRequest, jar: inout CookieJar, redirects: RedirectPolicy = RedirectPolicy()
  ) async throws -> TransportResponse {
    let follower = RedirectFollower(transport: transport, policy: redirects)
    return try await follower.send(request, jar: &jar, at: { [clock] in clock.moment }).response
  }
}
