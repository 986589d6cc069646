public import OstiaryCore

/// What a token says about itself (RFC 7515 §4). It chooses neither the algorithm nor the key: both are the caller's.
public struct TokenHeader: Sendable, Hashable {
  /// In one object, as a header goes from the key set to each token that has it.
  private final class Contents: Sendable {
    let algorithmName: String
    let keyID: String?
    let type: String?
    let normalizedType: String?
    let members: [String: JSONValue]

    init(algorithmName: String, keyID: String?, type: String?, members: [String: JSONValue]) {
      self.algorithmName = algorithmName
      self.keyID = keyID
      self.type = type
      normalizedType = type.map(TokenType.normalized)
      self.members = members
    }
  }

  private let contents: Contents

  /// The algorithm that it claims to be signed with (`alg`).
  public var algorithmName: String { contents.algorithmName }
  /// The key that it claims to be signed with (`kid`), which only chooses among the caller's keys.
  public var keyID: String? { contents.keyID }
  /// What kind of token it claims to be (`typ`).
  public var type: String? { contents.type }
  /// The type as types are compared.
  var normalizedType: String? { contents.normalizedType }
  /// All members. A key in `jwk`, or an address of one in `jku`, `x5u` or `x5c`, is the sender's word, and never where a key comes from.
  public var members: [String: JSONValue] { contents.members }

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
    contents = Contents(
      algorithmName: name, keyID: try members.text("kid", "RFC 7515 §4.1.4"),
      type: try members.text("typ", "RFC 7515 §4.1.9"), members: members)
  }

  public static func == (lhs: TokenHeader, rhs: TokenHeader) -> Bool { lhs.members == rhs.members }

  public func hash(into hasher: inout Hasher) { hasher.combine(members) }

  static let encrypted = JOSEError(.encrypted, "The token is encrypted, which is not supported.", source: "RFC 7516 §9")
}
