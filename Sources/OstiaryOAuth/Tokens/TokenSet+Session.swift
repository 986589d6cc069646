public import OstiaryCore

extension TokenSet {
  /// The names of a session's tokens.
  enum Name {
    static let accessToken = "access_token"
    static let refreshToken = "refresh_token"
    static let idToken = "id_token"
    static let tokenType = "token_type"
    static let scope = "scope"
    /// What is kept of the server that the session was made at.
    static let server = "server"
  }

  /// The tokens as a session keeps them.
  public var proof: Proof {
    var tokens = [Name.accessToken: accessToken, Name.tokenType: Secret(tokenType)]
    tokens[Name.refreshToken] = refreshToken
    tokens[Name.idToken] = idToken
    tokens[Name.scope] = scope.map { Secret($0) }
    return Proof(tokens: tokens)
  }

  /// The tokens that a session has; `nil` when it has no access token.
  public init?(_ session: Session) {
    self.init(session.proof, attributes: session.attributes)
    expiresAt = session.expiresAt
    clockSkew = session.clockSkew
    members = session.attributes
  }

  /// The tokens that a grant has; `nil` when it has no access token.
  init?(_ grant: SessionGrant) {
    self.init(grant.proof, attributes: grant.attributes)
    expiresAt = grant.expiresAt
    clockSkew = grant.clockSkew
    members = grant.attributes
  }

  /// The tokens of a proof. What importers have put among the attributes is taken from there.
  init?(_ proof: Proof, attributes: [String: JSONValue] = [:]) {
    guard let access = proof.tokens[Name.accessToken], !access.isEmpty else { return nil }
    func text(_ name: String) -> String? { proof.tokens[name]?.reveal() ?? attributes[name]?.word }
    self.init(
      accessToken: access, tokenType: text(Name.tokenType) ?? Self.bearer,
      refreshToken: proof.tokens[Name.refreshToken].flatMap { $0.isEmpty ? nil : $0 },
      idToken: proof.tokens[Name.idToken], scope: text(Name.scope))
  }

  /// The tokens as a session that an authenticator hands over.
  public func grant(for user: Session.User) -> SessionGrant {
    SessionGrant(user: user, proof: proof, expiresAt: expiresAt, clockSkew: clockSkew, attributes: members)
  }
}
