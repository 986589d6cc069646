internal import Foundation
internal import OstiaryCore

extension TokenSet {
  /// Reads a token endpoint's answer (RFC 6749 §5.1) as tolerantly as can be done safely: `expires_in` may be a number or
  /// a string, and one that is no lifetime counts as none; `token_type` may be missing; an empty refresh token is none.
  /// - Throws: ``OstiaryError`` `unexpectedResponse`, for a renewal `unreadableAnswer`, without an access token, with one
  ///   that no header field may carry, and for tokens of a type that is not understood, which must not be used (RFC 6749
  ///   §7.1). Its underlying error is a ``RotatedToken`` where the answer has a newer refresh token all the same.
  /// - Parameter client: who asked. Where it has proven a key, the tokens are bound to that.
  init(_ answer: OAuthAnswer, to client: OAuthClient) throws {
    do {
      try self.init(complete: answer, client.binding?.key)
    } catch var error as OstiaryError {
      error.underlying = answer.members?["refresh_token"]?.word.map { RotatedToken(refreshToken: Secret($0)) }
      throw error
    }
    // A renewal has spent the refresh token that was shown: what it brings is kept in any case.
    guard client.binding != nil, !isBound, !answer.isToRenewal, client.dpop?.insecurelyAcceptsBearerTokens != true
    else { return }
    throw OstiaryError.tokensNotBound(UnboundTokens(tokens: self))
  }

  private init(complete answer: OAuthAnswer, _ key: DPoPKey?) throws {
    var members = try answer.requireMembers()
    func take(_ name: String) -> JSONValue? { members.removeValue(forKey: name) }
    guard let access = take("access_token")?.word else {
      throw answer.unexpected("The authorization server gave no access token.")
    }
    guard Self.isToken(access) else {
      throw answer.unexpected("The authorization server gave an access token that can't be one.")
    }
    let type = take("token_type")?.word ?? Self.bearer
    guard Self.isBearer(type) || (Self.isDPoP(type) && key != nil) else {
      throw answer.unexpected("The authorization server gave tokens of a type that is not understood.")
    }
    let lifetime = take("expires_in")?.looseNumber.flatMap { Self.lifetimes.contains($0) ? $0 : nil }
    self.init(
      accessToken: Secret(access), tokenType: type, refreshToken: take("refresh_token")?.word.map { Secret($0) },
      idToken: take("id_token")?.word.map { Secret($0) }, scope: Self.scope(take("scope")),
      expiresAt: lifetime.map { answer.sentAt.addingTimeInterval($0) }, clockSkew: answer.clockSkew,
      members: members)
    proofKey = key?.stored
  }

  static let bearer = "Bearer"

  /// Whether tokens of a type are good for the one who has them (RFC 6750). The case of types means nothing (RFC 6749 §5.1).
  static func isBearer(_ type: String) -> Bool { type.lowercased() == "bearer" }

  /// Whether tokens of a type are good with a proof (RFC 9449 §5).
  static func isDPoP(_ type: String) -> Bool { type.lowercased() == "dpop" }

  /// Whether the access token is bound to the key.
  var isBound: Bool { proofKey != nil && Self.isDPoP(tokenType) }

  /// The lifetimes that are believed, in seconds. Zero and less is what servers say that don't know.
  private static let lifetimes = 1...1e9

  /// Some servers send a list instead of words.
  private static func scope(_ value: JSONValue?) -> String? {
    if let list = value?.array { return list.compactMap(\.word).joined(separator: " ") }
    return value?.word
  }

  /// Visible ASCII (RFC 6749 Appendix A.12), without spaces: what a field can carry as one word.
  static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

/// Tokens that a sign-in brought and that are not taken, so that they can be revoked.
struct UnboundTokens: Error {
  let tokens: TokenSet
}

/// The newer refresh token of an answer that can't be used otherwise: the one that was shown is spent.
struct RotatedToken: Error {
  let refreshToken: Secret
}
