internal import HTTPTypes
internal import OstiaryCore

/// The Digest response that a request carried, read from its `Authorization` field.
struct ShownDigest: Sendable {
  let nonce: String
  let cnonce: String?
  let count: UInt32?
  let protection: DigestChallenge.Protection?
  let target: String

  /// `nil` when the request carried none.
  init?(_ request: HTTPRequest) {
    // Credentials are written like a challenge (RFC 9110 §11.4).
    guard let value = request.headerFields[.authorization], value.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "d"),
      let shown = AuthenticationChallenge.parse(value)?.first, shown.scheme == "digest",
      let nonce = shown.parameters["nonce"], let target = shown.parameters["uri"]
    else { return nil }
    self.nonce = nonce
    self.target = target
    cnonce = shown.parameters["cnonce"]
    count = shown.parameters["nc"].flatMap { UInt32($0, radix: 16) }
    protection = shown.parameters["qop"].flatMap(DigestChallenge.Protection.init)
  }
}

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

/// Whether a server has shown that it knows the password, too.
enum ServerProof: Sendable {
  /// It has.
  case right
  /// It has not tried.
  case missing
  /// It has shown something else.
  case wrong
  /// It covers what is not there to compare: a body that is still arriving, a nonce that has been forgotten.
  case unverifiable
}
