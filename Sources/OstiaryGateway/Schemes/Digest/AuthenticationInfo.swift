internal import HTTPTypes
internal import OstiaryCore

/// What a server adds to its answer to a Digest: proof of its own, and the next nonce (RFC 7616 §3.5).
struct AuthenticationInfo: Sendable {
  let nextNonce: String?
  let protection: DigestChallenge.Protection?
  /// In lower case.
  let response: String?
  let cnonce: String?
  let count: UInt32?

  /// `nil` when the response says nothing of the kind, or nothing that can be read.
  init?(_ response: HTTPResponse) {
    guard let value = response.headerFields[.authenticationInfo] else { return nil }
    // The parameters of a challenge without its scheme (RFC 9110 §11.6.3).
    guard let parameters = AuthenticationChallenge.parse("Digest \(value)")?.first?.parameters else { return nil }
    nextNonce = parameters["nextnonce"].flatMap { $0.isEmpty ? nil : $0 }
    protection = parameters["qop"].flatMap { DigestChallenge.Protection(rawValue: $0.lowercased()) }
    self.response = parameters["rspauth"]?.lowercased()
    cnonce = parameters["cnonce"]
    count = parameters["nc"].flatMap { UInt32($0, radix: 16) }
  }
}
