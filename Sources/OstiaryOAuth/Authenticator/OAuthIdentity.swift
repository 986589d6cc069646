public import OstiaryCore

/// How an authenticator finds out whose tokens it was given: tokens themselves don't say. An open set.
public struct OAuthIdentity: Sendable {
  let find: @Sendable (TokenSet, OAuthClient, AuthenticationContext) async throws -> Session.User

  /// Finds out in another way.
  public init(
    find: @escaping @Sendable (TokenSet, OAuthClient, AuthenticationContext) async throws -> Session.User
  ) {
    self.find = find
  }

  /// Asks the userinfo endpoint (OpenID Connect Core §5.3): `sub`, or `user_id` or `id` of servers that have their own
  /// names; shown by `name`, `preferred_username` or `email`.
  public static var userInfo: OAuthIdentity {
    OAuthIdentity { tokens, client, context in
      let members = try await client.userInfo(with: tokens.accessToken, in: context)
      guard let user = user(in: members) else {
        throw OstiaryError(.unexpectedResponse, "The server did not say whose tokens it gave.")
      }
      return user
    }
  }

  /// Asks nobody: it is known.
  public static func known(_ user: Session.User) -> OAuthIdentity {
    OAuthIdentity { _, _, _ in user }
  }

  /// The userinfo endpoint where the client knows one; otherwise whoever signed in goes by the client's identifier, and
  /// two users of one client can't be told apart.
  public static var userInfoOrClient: OAuthIdentity {
    OAuthIdentity { tokens, client, context in
      guard client.endpoints.userInfo != nil else { return Session.User(id: client.id) }
      return try await userInfo.find(tokens, client, context)
    }
  }

  static func user(in members: [String: JSONValue]) -> Session.User? {
    guard let id = ["sub", "user_id", "id"].lazy.compactMap({ members[$0]?.identifier }).first else { return nil }
    let name = ["name", "preferred_username", "email"].lazy.compactMap { members[$0]?.word }.first
    return Session.User(id: id, displayName: name)
  }
}
