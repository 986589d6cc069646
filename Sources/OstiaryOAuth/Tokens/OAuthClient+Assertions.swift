package import Foundation
internal import HTTPTypes
package import OstiaryCore

extension OAuthClient {
  /// Exchanges an assertion that is made for the server's time (RFC 7523 §3): a server that reads an expiry by its own clock
  /// refuses one that was made by a device's wrong clock, in the words with which it refuses a user.
  ///
  /// The session that the tokens replace knows how far the clocks were apart. When the assertion is refused and the answer's
  /// `Date` shows another difference, one more is made, and its outcome counts.
  /// - Parameter make: makes an assertion for a time, a new one each time it is called.
  package func tokens(
    in context: AuthenticationContext, scope: String? = nil, parameters: OAuthParameters = [:],
    assertion make: @Sendable (Date) async throws -> Secret
  ) async throws -> TokenSet {
    let watch = ServerClock(context)
    let known = context.previous?.clockSkew ?? 0
    let first = try await make(context.clock.now.addingTimeInterval(known))
    do {
      return try await tokens(forAssertion: first, scope: scope, parameters: parameters, in: watch.context)
    } catch let error as OstiaryError where error.code == .grantRefused {
      guard let measured = watch.skew, abs(measured - known) >= Self.tolerance else { throw error }
      let second = try await make(context.clock.now.addingTimeInterval(measured))
      guard second != first else { throw error }
      return try await tokens(forAssertion: second, scope: scope, parameters: parameters, in: context)
    }
  }

  /// A `Date` field has whole seconds, and its answer took its time. Assertions live for minutes.
  private static let tolerance: TimeInterval = 15
}

extension AuthenticationContext {
  /// The same, for getting tokens that replace a session's.
  func replacing(_ session: Session) -> AuthenticationContext {
    AuthenticationContext(
      transport: transport, clock: clock, logger: logger, challenge: challenge, previous: session,
      challengedAddress: challengedAddress)
  }
}

/// Notes by how much the server's clock is ahead of this device's while requests are sent.
private final class ServerClock: Transport {
  private let inner: AuthenticationContext
  private let measured = Locked<TimeInterval?>(nil)

  init(_ inner: AuthenticationContext) { self.inner = inner }

  /// The difference by the last answer that had a date.
  var skew: TimeInterval? { measured.withLock { $0 } }

  /// The context whose answers are looked at.
  var context: AuthenticationContext {
    AuthenticationContext(transport: self, clock: inner.clock, logger: inner.logger, previous: inner.previous)
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let response = try await inner.transport.send(request)
    note(response.head)
    return response
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let response = try await inner.transport.stream(request)
    note(response.head)
    return response
  }

  private func note(_ response: HTTPResponse) {
    if let skew = response.clockSkew(at: inner.clock.now) { measured.withLock { $0 = skew } }
  }
}
