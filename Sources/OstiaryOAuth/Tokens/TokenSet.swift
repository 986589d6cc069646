public import Foundation
public import OstiaryCore

/// The tokens that a server gave, and what it said of them (RFC 6749 §5.1).
public struct TokenSet: Sendable, Hashable {
  /// What requests carry.
  public var accessToken: Secret
  /// How requests carry it; `Bearer` where the server did not say.
  public var tokenType: String
  /// What newer tokens are given for; `nil` when there is none.
  public var refreshToken: Secret?
  /// What a session keeps of the key that the tokens are bound to (``DPoPKey/stored``); `nil` for bearer tokens.
  public var proofKey: Secret?
  /// What says who the user is (OpenID Connect Core §2). It is verified where the client has a policy for that
  /// (``OAuthClient/idTokens``), and only kept otherwise.
  public var idToken: Secret?
  /// What the tokens are good for, separated by spaces; `nil` when the server did not say, which means what was asked
  /// for.
  public var scope: String?
  /// When the access token ends, by this device's clock; `nil` when only the server knows.
  public var expiresAt: Date?
  /// The server's clock minus this device's, in seconds.
  public var clockSkew: TimeInterval
  /// What else the server said, as it came.
  public var members: [String: JSONValue]

  /// What the sign-in has asked of the ID token.
  var expectation: IDTokenExpectation?
  /// What is kept of the verification of the ID token.
  var trust: IDTokenTrust?
  /// The ID token, where it has just been verified.
  var verified: IDToken?
  /// Newer tokens that are written and have not been judged yet. The others are no good then.
  var unjudged: UnjudgedTokens?

  /// Makes a set of tokens.
  public init(
    accessToken: Secret, tokenType: String = "Bearer", refreshToken: Secret? = nil, idToken: Secret? = nil,
    scope: String? = nil, expiresAt: Date? = nil, clockSkew: TimeInterval = 0, members: [String: JSONValue] = [:]
  ) {
    self.accessToken = accessToken
    self.tokenType = tokenType
    self.refreshToken = refreshToken
    self.idToken = idToken
    self.scope = scope
    self.expiresAt = expiresAt
    self.clockSkew = clockSkew
    self.members = members
  }

  /// These tokens with what a sign-in has asked of their ID token, for flows of the app's own.
  public func expecting(_ expectation: IDTokenExpectation) -> TokenSet {
    var tokens = self
    tokens.expectation = expectation
    return tokens
  }

  /// The scope's words (RFC 6749 §3.3).
  public var scopes: Set<String> { Set((scope ?? "").split(separator: " ").map(String.init)) }

  /// These tokens, with what the server left out taken from the ones before: the refresh token, the ID token, the scope
  /// (RFC 6749 §6) and what else it had said.
  public func keeping(from earlier: TokenSet) -> TokenSet {
    var tokens = self
    tokens.refreshToken = refreshToken ?? earlier.refreshToken
    tokens.proofKey = proofKey ?? earlier.proofKey
    if idToken == nil {
      tokens.idToken = earlier.idToken
      tokens.trust = earlier.trust
    }
    tokens.scope = scope ?? earlier.scope
    tokens.members = earlier.members.merging(members) { $1 }
    return tokens
  }
}

extension TokenSet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Which tokens there are, until when and for what; never the tokens.
  public var description: String {
    let kinds = [
      "access token", refreshToken == nil ? nil : "refresh token", idToken == nil ? nil : "ID token",
    ].compactMap { $0 }
    return "TokenSet(\(kinds.joined(separator: ", ")), scope \(scope ?? "as asked for"))"
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
