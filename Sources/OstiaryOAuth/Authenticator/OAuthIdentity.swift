public import OstiaryCore

/// How an authenticator finds out whose tokens it was given: tokens themselves don't say. An open set.
public struct OAuthIdentity: Sendable {
  let find: @Sendable (TokenSet, OAuthClient, AuthenticationContext) async throws -> Session.User
  /// What is known without asking a server; `nil` when it has to be asked.
  let known: @Sendable (TokenSet, OAuthClient) throws -> Session.User?
  /// Whether a user goes by the `sub` of the server, where that says who it is.
  private(set) var isSubject = false
  /// Whether the user may go by the client's identifier, where no endpoint tells who it is.
  private(set) var allowsClient = false

  /// Finds out in another way. It is asked after the tokens have been given, and again when it could not tell: a terminal
  /// error says that the tokens are worthless, or another user's.
  public init(
    find: @escaping @Sendable (TokenSet, OAuthClient, AuthenticationContext) async throws -> Session.User
  ) {
    self.init(known: { _, _ in nil }, find: find)
  }

  /// Finds out in another way, where the tokens' answer may tell already.
  /// - Parameter known: the user, where the answer tells; throws for an answer that is not to be believed.
  package init(
    known: @escaping @Sendable (TokenSet, OAuthClient) throws -> Session.User?,
    find: @escaping @Sendable (TokenSet, OAuthClient, AuthenticationContext) async throws -> Session.User
  ) {
    self.known = known
    self.find = find
  }

  /// Asks the userinfo endpoint (OpenID Connect Core §5.3): `sub`, or `user_id` or `id` of servers that have their own
  /// names; shown by `name`, `preferred_username` or `email`. Where there is an ID token that was verified, its `sub` must be the same.
  public static var userInfo: OAuthIdentity {
    bySubject(known: { _, _ in nil }) { tokens, client, context in
      let members = try await client.userInfo(with: tokens.accessToken, in: context)
      guard let user = user(in: members) else {
        throw OstiaryError(.unexpectedResponse, "The server did not say whose tokens it gave.")
      }
      guard tokens.isAbout(members) else {
        throw OstiaryError(
          .anotherUser, "The server told the data of another user than the ID token's (OpenID Connect Core §5.3.2).",
          advice: "Begin the sign-in again.", disposition: .terminal)
      }
      return user
    }
  }

  /// No server is asked: it is known.
  public static func known(_ user: Session.User) -> OAuthIdentity {
    OAuthIdentity(known: { _, _ in user }, find: { _, _, _ in user })
  }

  /// The userinfo endpoint where the client knows one; otherwise the user goes by the client's identifier, and two users
  /// of one client can't be told apart.
  ///
  /// So it does at a sign-in without the scope `openid` whose tokens the endpoint does not tell of: it is for tokens of OpenID Connect (Core
  /// §5.3), and may answer others with 403 `insufficient_scope`, or without a `sub`. Later it is not asked about such a session.
  public static var userInfoOrClient: OAuthIdentity {
    bySubject(
      allowsClient: true,
      known: { _, client in client.endpoints.userInfo == nil ? Session.User(id: client.id) : nil },
      find: userInfo.find)
  }

  /// Who the ID token says, where there is one that was verified: no server is asked. Otherwise ``userInfoOrClient``.
  public static var idTokenOrOthers: OAuthIdentity {
    let others = userInfoOrClient
    return bySubject(
      allowsClient: true,
      known: { tokens, client in
        try tokens.verified.map { user(of: $0) } ?? others.known(tokens, client)
      },
      find: { tokens, client, context in
        if let token = tokens.verified { return user(of: token) }
        return try await others.find(tokens, client, context)
      })
  }

  private static func bySubject(
    allowsClient: Bool = false,
    known: @escaping @Sendable (TokenSet, OAuthClient) throws -> Session.User?,
    find: @escaping @Sendable (TokenSet, OAuthClient, AuthenticationContext) async throws -> Session.User
  ) -> OAuthIdentity {
    var identity = OAuthIdentity(known: known, find: find)
    identity.isSubject = true
    identity.allowsClient = allowsClient
    return identity
  }

  /// Whether an ID token can be about a session's user.
  func allows(_ token: IDToken, for user: Session.User, of client: OAuthClient) -> Bool {
    !isSubject || user.id == client.id || token.subject.hasSameBytes(as: user.id)
  }

  private static func user(of token: IDToken) -> Session.User {
    Session.User(id: token.subject, displayName: user(in: token.claims)?.displayName)
  }

  static func user(in members: [String: JSONValue]) -> Session.User? {
    guard let id = ["sub", "user_id", "id"].lazy.compactMap({ members[$0]?.identifier }).first else { return nil }
    let name = ["name", "preferred_username", "email"].lazy.compactMap { members[$0]?.word }.first
    return Session.User(id: id, displayName: name)
  }
}
