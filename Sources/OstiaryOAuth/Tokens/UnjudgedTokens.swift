internal import Foundation
internal import OstiaryCore
internal import OstiaryJOSE

/// Tokens that a server has given and whose ID token has not been judged yet, as a session keeps them: beside its other tokens, under a
/// name that attaches nothing.
///
/// A server that rotates has spent the refresh token that was shown, so what it gave for it is written before anything else. The newer
/// refresh token stands at its place. At the access token's stands ``placeholder``, which no header field can carry, and the session is
/// over by its date: every version attaches nothing and renews first. This version judges then; one of before, which does not know
/// these, refreshes once more.
struct UnjudgedTokens: Sendable, Hashable {
  var accessToken: Secret
  var idToken: Secret
  /// When the access token ends, by this device's clock.
  var expiresAt: Date?
  /// When they came, by the server's clock as far as it is known.
  var cameAt: Date
  /// What the sign-in has asked of the ID token.
  var expectation: IDTokenExpectation?

  /// Stands where an access token would.
  static let placeholder = Secret("not judged yet")
  /// When a session with these is over.
  static let over = Date(timeIntervalSince1970: 0)

  init(
    accessToken: Secret, idToken: Secret, expiresAt: Date?, cameAt: Date, expectation: IDTokenExpectation?
  ) {
    self.accessToken = accessToken
    self.idToken = idToken
    self.expiresAt = expiresAt
    self.cameAt = cameAt
    self.expectation = expectation
  }

  /// What a session has kept.
  init?(_ text: Secret) {
    guard let members = try? StrictJSON.object([UInt8](text.reveal().utf8)),
      let access = members["access_token"]?.string, let id = members["id_token"]?.string,
      let cameAt = members["came_at"]?.double
    else { return nil }
    self.init(
      accessToken: Secret(access), idToken: Secret(id),
      expiresAt: members["expires_at"]?.double.map { Date(timeIntervalSince1970: $0) },
      cameAt: Date(timeIntervalSince1970: cameAt),
      expectation: members["expectation"]?.object.map { IDTokenExpectation(members: $0) })
  }

  /// As text, for a session's proof.
  var text: Secret {
    var members: [String: JSONValue] = [
      "access_token": .string(accessToken.reveal()), "id_token": .string(idToken.reveal()),
      "came_at": .number(cameAt.timeIntervalSince1970),
    ]
    members["expires_at"] = expiresAt.map { .number($0.timeIntervalSince1970) }
    members["expectation"] = expectation.map { .object($0.members) }
    return Secret(String(decoding: CompactJSON.object(members) ?? [], as: UTF8.self))
  }
}

extension TokenSet {
  /// These tokens as they are written before they are judged, over the ones before; `nil` when there is no ID token to judge.
  /// - Parameter now: by this device's clock.
  func awaitingJudgement(over earlier: TokenSet?, now: Date) -> TokenSet? {
    guard let idToken else { return nil }
    var tokens = earlier.map { keeping(from: $0) } ?? self
    tokens.unjudged = UnjudgedTokens(
      accessToken: accessToken, idToken: idToken, expiresAt: expiresAt, cameAt: now.addingTimeInterval(clockSkew),
      expectation: expectation)
    tokens.accessToken = UnjudgedTokens.placeholder
    tokens.idToken = earlier?.idToken
    tokens.trust = earlier?.trust
    tokens.expiresAt = UnjudgedTokens.over
    return tokens
  }

  /// The tokens after the judgement.
  /// - Parameter token: the ID token; `nil` where it was not believed: the one before it stays.
  func judged(_ token: IDToken?) -> TokenSet {
    guard let unjudged else { return self }
    var tokens = self
    tokens.unjudged = nil
    tokens.accessToken = unjudged.accessToken
    tokens.expiresAt = unjudged.expiresAt
    tokens.expectation = nil
    if let token {
      tokens.idToken = unjudged.idToken
      tokens.trust = IDTokenTrust(token, keeping: trust)
      tokens.verified = token
    }
    return tokens
  }

  /// The tokens of a client that only keeps ID tokens.
  func unread() -> TokenSet {
    var tokens = judged(nil)
    if let unjudged {
      tokens.idToken = unjudged.idToken
      tokens.trust = nil
    }
    return tokens
  }

  /// These tokens, whose ID token is the one before.
  func keepingVerification(of earlier: TokenSet) -> TokenSet {
    var tokens = self
    tokens.idToken = nil
    return tokens.keeping(from: earlier)
  }

  /// The access token that the server gave last, whether it was judged or not.
  var newestAccessToken: Secret { unjudged?.accessToken ?? accessToken }
}
