public import OstiaryCore

extension TokenSet {
  /// The names of a session's tokens.
  enum Name {
    static let accessToken = "access_token"
    static let refreshToken = "refresh_token"
    static let idToken = "id_token"
    static let tokenType = "token_type"
    static let scope = "scope"
    /// What is kept of the verification of the ID token.
    static let trust = "id_token_verification"
    /// Tokens that are written and have not been judged yet.
    static let unjudged = "unjudged"
    /// What is kept of the server that the session was made at.
    static let server = "server"
    static let proofKey = "dpop_key"
    /// The names of all that a set of tokens keeps of a proof.
    static let own: Set<String> = [accessToken, refreshToken, idToken, tokenType, scope, trust, unjudged, proofKey]
  }

  /// The tokens as a session keeps them.
  public var proof: Proof {
    var tokens = [Name.accessToken: accessToken, Name.tokenType: Secret(tokenType)]
    tokens[Name.refreshToken] = refreshToken
    tokens[Name.idToken] = idToken
    tokens[Name.scope] = scope.map { Secret($0) }
    tokens[Name.trust] = trust?.text
    tokens[Name.unjudged] = unjudged?.text
    tokens[Name.proofKey] = proofKey
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
    trust = proof.tokens[Name.trust].flatMap(IDTokenTrust.init)
    unjudged = proof.tokens[Name.unjudged].flatMap(UnjudgedTokens.init)
    proofKey = proof.tokens[Name.proofKey]
  }

  /// The tokens as a session that an authenticator hands over.
  public func grant(for user: Session.User) -> SessionGrant {
    SessionGrant(user: user, proof: proof, expiresAt: expiresAt, clockSkew: clockSkew, attributes: members)
  }

  /// The tokens after their judgement, with what the proof before had besides: cookies, and tokens of other parts.
  func grant(for user: Session.User, besides earlier: Proof) -> SessionGrant {
    var grant = grant(for: user)
    grant.proof.cookies = earlier.cookies
    // What is gone of the tokens' own names stays so: the verification of the ID token before is none of this one.
    grant.proof.tokens.merge(earlier.tokens.filter { !Name.own.contains($0.key) }) { own, _ in own }
    return grant
  }

  /// Whether what a server says of the tokens' user is about the one of the ID token, where one was verified (OpenID Connect Core
  /// §5.3.2).
  func isAbout(_ members: [String: JSONValue]) -> Bool {
    guard let subject = verified?.subject ?? (trust == nil ? nil : idToken.flatMap(EarlierIDToken.init)?.subject)
    else { return true }
    return members["sub"]?.string?.hasSameBytes(as: subject) == true
  }
}

extension IDToken {
  /// The ID token of a session, as it was verified; `nil` for a session that has none.
  public init?(of session: Session) {
    guard let tokens = TokenSet(session), let trust = tokens.trust, let text = tokens.idToken else { return nil }
    self.init(kept: text, trust)
  }
}
