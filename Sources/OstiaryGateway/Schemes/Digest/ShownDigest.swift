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
