public import OstiaryCore

/// What a token says about itself (RFC 7515 §4). It chooses neither the algorithm nor the key: both are the caller's.
public struct TokenHeader: Sendable, Hashable {
  /// The algorithm that it claims to be signed with (`alg`).
  public let algorithmName: String
  /// The key that it claims to be signed with (`kid`), which only chooses among the caller's keys.
  public let keyID: String?
  /// What kind of token it claims to be (`typ`).
  public let type: String?
  /// All members. A key in `jwk`, or an address of one in `jku`, `x5u` or `x5c`, is the sender's word, and never where a key comes from.
  public let members: [String: JSONValue]

  /// The type as types are compared.
  let normalizedType: String?

  init(_ bytes: [UInt8]) throws(JOSEError) {
    try self.init(members: JOSEObject.read(bytes, "The token's header", source: "RFC 7515 §5.2"))
  }

  init(members: [String: JSONValue]) throws(JOSEError) {
    guard members["enc"] == nil else { throw Self.encrypted }
    guard let name = members["alg"]?.string else {
      throw JOSEError(.malformed, "The token names no algorithm.", source: "RFC 7515 §4.1.1")
    }
    guard !ASCII.matches(name.utf8, "none") else {
      throw JOSEError(.unsigned, "The token is not signed.", source: "RFC 8725 §3.2")
    }
    guard members["crit"] == nil else {
      throw JOSEError(
        .unknownExtension, "The token demands an extension that is not known here.", source: "RFC 7515 §4.1.11")
    }
    guard members["b64"] == nil || members["b64"] == .bool(true) else {
      throw JOSEError(.unencodedPayload, "The token's payload is not in base64url.", source: "RFC 7797 §3")
    }
    algorithmName = name
    keyID = try members.text("kid", "RFC 7515 §4.1.4")
    type = try members.text("typ", "RFC 7515 §4.1.9")
    normalizedType = type.map(TokenType.normalized)
    self.members = members
  }

  static let encrypted = JOSEError(.encrypted, "The token is encrypted, which is not supported.", source: "RFC 7516 §9")
}
