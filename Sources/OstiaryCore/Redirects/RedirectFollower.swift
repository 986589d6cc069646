package import Foundation
internal import HTTPTypes

/// Sends a request and follows where it is redirected to, with a cookie jar: what a browser does, without its secrets
/// spilling to other origins.
///
/// Cookies set by any response on the way are stored, and each request carries those that belong to it (RFC 6265bis). A
/// `Cookie` field of the request's own goes in front of them, and stays at its origin. The time-out of the request holds
/// for each exchange on the way.
package struct RedirectFollower: Sendable {
  /// Sends each request.
  package let transport: any Transport
  /// Says what is followed.
  package let policy: RedirectPolicy

  /// Makes a follower.
  package init(transport: any Transport, policy: RedirectPolicy = RedirectPolicy()) {
    self.transport = transport
    self.policy = policy
  }

  /// Sends a request and returns the final response with the redirects that led to it, first to last.
  ///
  /// The jar has what the responses set even when an error ends the journey.
  /// - Parameter now: tells the time, for the cookies' expiry.
  /// - Throws: ``OstiaryError``: the transport's, or the policy's `tooManyRedirects` and `redirectRefused`.
  package func send(
    _ request: TransportRequest, jar: inout CookieJar, now: @Sendable () -> Date
  ) async throws -> (response: TransportResponse, redirects: [TransportResponse]) {
    try await send(request, jar: &jar, at: { Moment(wall: now()) }, isProof: { _ in false })
  }

  /// The same with a moment by two clocks, and with cookies that are proof: see ``CookieJar/header(for:at:isProof:)``.
  package func send(
    _ request: TransportRequest, jar: inout CookieJar, at moment: @Sendable () -> Moment,
    isProof: @Sendable (String) -> Bool = { _ in true }
  ) async throws -> (response: TransportResponse, redirects: [TransportResponse]) {
    var hop = request
    var redirects: [TransportResponse] = []
    while true {
      var outgoing = hop
      if let cookies = jar.header(for: hop.head, at: moment(), isProof: isProof) {
        outgoing.head.headerFields.addCookies(cookies)
      }
      var response = try await transport.send(outgoing)
      response.url = hop.head.targetURL
      jar.storeAll(from: response.head, to: hop.head, at: moment(), isProof: isProof)
      guard let next = try policy.next(after: response.head, to: hop, hops: redirects.count) else {
        return (response, redirects)
      }
      redirects.append(response)
      hop = next
      hop.layerContext.isRedirected = true
    }
  }
}
