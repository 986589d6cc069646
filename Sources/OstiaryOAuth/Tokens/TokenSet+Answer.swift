internal import Foundation
internal import OstiaryCore

extension TokenSet {
  /// Reads a token endpoint's answer (RFC 6749 §5.1) as tolerantly as can be done safely: `expires_in` may be a number or
  /// a string, and one that is no lifetime counts as none; `token_type` may be missing; an empty refresh token is none.
  /// - Throws: ``OstiaryError`` `unexpectedResponse`, for a renewal `unreadableAnswer`, without an access token, with one
  ///   that no header field may carry, and for tokens of a type that is not understood, which must not be used (RFC 6749
  ///   §7.1). Its underlying error is a ``RotatedToken`` where the answer has a newer refresh token all the same.
  init(_ answer: OAuthAnswer) throws {
    do {
      try self.init(complete: answer)
    } catch var error as OstiaryError {
      error.underlying = answer.members?["refresh_token"]?.word.map { RotatedToken(refreshToken: Secret($0)) }
      throw error
    }
  }

  private init(complete answer: OAuthAnswer) throws {
    var members = try answer.requireMembers()
    func take(_ name: String) -> JSONValue? { members.removeValue(forKey: name) }
    guard let access = take("access_token")?.word else {
      throw answer.unexpected("The authorization server gave no access token.")
    }
    guard Self.isToken(access) else {
      throw answer.unexpected("The authorization server gave an access token that can't be one.")
    }
    let type = take("token_type")?.word ?? Self.bearer
    guard type.lowercased() == Self.bearer.lowercased() else {
      throw answer.unexpected("The authorization server gave tokens of a type that is not understood.")
    }
    let lifetime = take("expires_in")?.looseNumber.flatMap { Self.lifetimes.contains($0) ? $0 : nil }
    self.init(
      accessToken: Secret(access), tokenType: type, refreshToken: take("refresh_token")?.word.map { Secret($0) },
      idToken: take("id_token")?.word.map { Secret($0) }, scope: Self.scope(take("scope")),
      expiresAt: lifetime.map { answer.sentAt.addingTimeInterval($0) }, clockSkew: answer.clockSkew,
      members: members)
  }

  static let bearer = "Bearer"

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

/// The newer refresh token of an answer that can't be used otherwise: the one that was shown is spent.
struct RotatedToken: Error {
  let refreshToken: Secret
}
