internal import OstiaryCore

// Sign-ins that are plain OAuth at servers that have a userinfo endpoint: it is for tokens of OpenID Connect (OpenID Connect Core §5.3), and need
// not tell of others.
extension OAuthAuthenticator {
  /// Whose the tokens of a sign-in are. A 401 is a word about the token, which may have been taken back since: a user is never taken for the
  /// client's because of it.
  /// - Parameter given: the tokens as they came, before their ID token was judged.
  func user(of tokens: TokenSet, given: TokenSet, _ context: AuthenticationContext) async throws -> Session.User {
    guard given.isPlain, identity.allowsClient, client.endpoints.userInfo != nil else {
      return try await user(of: tokens, context)
    }
    switch try await client.userInfoAnswer(with: tokens.accessToken, in: context) {
    case .tells(let members): return OAuthIdentity.user(in: members) ?? Session.User(id: client.id)
    case .tellsNothing: return Session.User(id: client.id)
    }
  }

  /// The same authenticator without the userinfo endpoint, for questions about a session that goes by the client's identifier: the endpoint
  /// did not tell of its tokens when they were new, so that its refusal says nothing later either. `nil` for other sessions.
  func askingElsewhere(about session: Session) -> OAuthAuthenticator? {
    guard identity.allowsClient, client.endpoints.userInfo != nil, session.user.id == client.id,
      TokenSet(session)?.isPlain == true
    else { return nil }
    var other = self
    other.client.endpoints.userInfo = nil
    return other
  }
}

extension TokenSet {
  /// Whether nothing of them says that they are of OpenID Connect, whose servers give an ID token (Core §3.1.3.3).
  var isPlain: Bool { idToken == nil && unjudged == nil && !scopes.contains("openid") }
}
