package import Foundation
package import HTTPTypes

extension HTTPResponse {
  /// Whether the status says that the server, or one in front of it, can't answer now: 408, 425, 429 and every 5xx (RFC
  /// 9110 §15.5.9 and §15.6, RFC 8470 §5.2, RFC 6585 §4). Such an answer's body is no word about a session.
  package var saysUnavailable: Bool {
    switch status.code {
    case 408, 425, 429, 500...599: true
    default: false
    }
  }

  /// How long the server asks to wait (RFC 9110 §10.2.3), at most a day; `nil` when it doesn't say. A date
  /// is read against the response's own `Date`, not this device's clock.
  /// - Parameter now: when the response arrived, by this device's clock.
  package func retryAfter(at now: Date) -> Duration? {
    headerFields[.retryAfter].flatMap { RetryAfter.parse($0, now: now.addingTimeInterval(clockSkew(at: now) ?? 0)) }
  }
}

extension OstiaryError {
  /// The failure of a server that can't answer now, for every kind of server; `nil` for an answer that does not say so.
  /// - Parameters:
  ///   - response: the answer.
  ///   - request: what it answers.
  ///   - now: when it arrived, by this device's clock.
  ///   - subject: who can't answer, as a sentence begins with it.
  ///   - underlying: what else the server said.
  package init?(
    unavailable response: HTTPResponse, to request: HTTPRequest, now: Date, _ subject: String = "The server",
    underlying: (any Error)? = nil
  ) {
    guard response.saysUnavailable else { return nil }
    self.init(
      .serverUnavailable, "\(subject) can't answer now (\(response.status.code)).",
      disposition: .transient(retryAfter: response.retryAfter(at: now)), request: request, underlying: underlying)
  }
}
