internal import Foundation
internal import OstiaryCore

/// A sign-in, or what stands in for one: all tokens that were given for it end with it.
struct ProviderGrant: Sendable {
  let id: Int
  let client: String
  /// `nil` for a client that acts for itself.
  let user: ProviderUser?
  var scope: String?
  /// What the tokens may be for; empty: each API.
  var resources: [String] = []
  var nonce: String?
  var signedInAt: Date
  var strength: String
  /// The key that its refresh tokens are bound to, where its client has no other proof of itself.
  var thumbprint: String?

  /// The session of the user's browser (`sid`).
  var session: String { "session-\(id)" }
  func has(_ word: Substring) -> Bool { scope?.split(separator: " ").contains(word) == true }
}

/// A code (RFC 6749 §4.1.2).
struct IssuedCode: Sendable {
  let grant: ProviderGrant
  let redirectURI: String
  let challenge: String
  let thumbprint: String?
  let endsAt: Date
}

/// An access token.
struct IssuedAccess: Sendable {
  let grant: Int
  let scope: String?
  let resources: [String]
  /// The key that it is bound to (`cnf`).
  let thumbprint: String?
  /// `nil`: it does not end by itself.
  let endsAt: Date?
  /// Who acts for the user (RFC 8693 §4.1).
  var actor: String?
  /// The refresh token that ends with the first use of this one.
  var ends: String?
  var isUsed = false
}

/// A refresh token.
struct IssuedRefresh: Sendable {
  let grant: Int
  /// The answer that its first use was given.
  var successor: [String: JSONValue]?
  /// When it was used first.
  var usedAt: Date?
  /// Whether it is good no more, without a suspicion.
  var isOver = false
}

/// An authorization request that was put beforehand (RFC 9126).
struct PushedRequest: Sendable {
  let client: String
  let form: ProviderForm
  let endsAt: Date
}

/// A device's codes (RFC 8628).
struct DeviceCode: Sendable {
  enum Answer: Sendable {
    case pending
    case declined
    case accepted(ProviderUser)
  }

  let client: String
  let userCode: String
  let scope: String?
  let resources: [String]
  let endsAt: Date
  var interval: TimeInterval
  var askedAt: Date
  var answer = Answer.pending
}
