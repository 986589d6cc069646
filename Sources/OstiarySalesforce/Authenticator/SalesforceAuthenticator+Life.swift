internal import Foundation
public import OstiaryCore
internal import OstiaryOAuth

extension SalesforceAuthenticator {
  /// Signs in.
  /// - Throws: ``/OstiaryCore/OstiaryError``, as ``/OstiaryOAuth/OAuthAuthenticator`` does; `salesforceSessionInvalid`,
  ///   `salesforceRequestRefused` and `salesforceResourceNotFound` when tokens that were handed over are refused.
  public func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    let translated = context.translated
    switch credential {
    case .proof(let proof): return try await takeOver(proof, context, translated)
    case .password(let username, let password):
      switch passwords {
      case .refused: return keep(try await oauth.signIn(with: credential, in: translated))
      case .headless(let redirectURI):
        var oauth = oauth
        oauth.flow = HeadlessSignIn(host: host, redirectURI: redirectURI).flow(username: username, password: password)
        return keep(try await oauth.signIn(with: .byHandler, in: translated), username)
      case .insecureUsernamePassword(let securityToken):
        var oauth = oauth
        oauth.insecurelyTakesPasswords = true
        let secret = Secret(password.reveal() + (securityToken?.reveal() ?? ""))
        return keep(
          try await oauth.signIn(with: .password(username: username, password: secret), in: translated), username)
      }
    case .request, .byHandler: return keep(try await oauth.signIn(with: credential, in: translated))
    }
  }

  /// Asks the identity service, or the userinfo service, whose tokens were given: the second step of a sign-in. A look-up
  /// that fails can be repeated.
  /// - Throws: ``/OstiaryCore/OstiaryError``; `salesforceSessionInvalid` as the server's word on the new tokens, which have
  ///   then been revoked.
  public func identify(_ grant: SessionGrant, in context: AuthenticationContext) async throws -> SessionGrant {
    guard grant.needsIdentification, let tokens = SalesforceTokens(grant, clientID: clientID) else { return grant }
    do {
      var identified = grant
      identified.user = try await Self.lookUp(
        tokens.accessToken,
        at: tokens.identityURL ?? tokens.apiURL.appending(path: "services/oauth2/userinfo"),
        in: oauth.presenting(grant.proof, in: context))
      identified.needsIdentification = false
      return identified
    } catch let error as OstiaryError where error.disposition == .terminal {
      let session = Session(
        kind: kind, server: server, version: ProofVersion(), grant: grant, issuedAt: context.clock.now)
      try? await end(session, in: context)
      throw error
    }
  }

  /// Refreshes, at the community for its members; without a refresh token, runs a flow that takes no person: the one that
  /// gave the first tokens, or ``renewalFlow``.
  /// - Throws: ``/OstiaryCore/OstiaryError``; `unexpectedResponse` for tokens of another user, and for an instance that is
  ///   not encrypted.
  public func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
    var oauth = try OAuthAuthenticator(server: host.url, client: client(of: session), flow: renewalFlow(for: session))
    oauth.renewalParameters = renewalParameters
    guard case .renewed(let grant) = try await oauth.renew(session, in: context.translated) else {
      return .needsCredential
    }
    return .renewed(try check(keep(grant), replacing: session))
  }

  /// Asks the identity service, or the userinfo service where the session has no identity URL.
  public func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    guard let tokens = SalesforceTokens(session) else { return .invalid(reason: "The session has no access token.") }
    do {
      let document = try await SalesforceIdentityService.document(
        for: tokens, in: oauth.presenting(session.proof, in: context))
      var attributes = session.attributes
      attributes[Session.salesforceDocumentAttribute] =
        document.stored ?? session.attributes[Session.salesforceDocumentAttribute]
      if session.salesforceUsername == nil, let username = document.username {
        attributes[Session.salesforceUsernameAttribute] = .string(username)
      }
      return .valid(attributes: attributes == session.attributes ? nil : attributes)
    } catch let error as OstiaryError where error.code == .salesforceSessionInvalid {
      return .invalid(reason: error.message)
    }
  }

  /// Revokes the refresh token, and with it every access token that was given for it; or the access token where there is
  /// no other. A token that the server doesn't know is as good as revoked.
  public func end(_ session: Session, in context: AuthenticationContext) async throws {
    guard let tokens = SalesforceTokens(session) else { return }
    try await SalesforceRevocation.revoke(
      tokens.refreshToken ?? tokens.accessToken, reason: revocationReason(), at: host(of: session), in: context)
  }

  // MARK: Inside

  private func renewalFlow(for session: Session) -> OAuthFlow? {
    if let flow = oauth.flow, !flow.needsPerson { return flow }
    guard let renewalFlow, let identity = SalesforceUserIdentity(session.user) else { return nil }
    return renewalFlow(
      SalesforceRenewalRequest(identity: identity, username: session.salesforceUsername, host: host(of: session)))
  }

  /// Who the tokens are for: the identity URL of the answer says it, whose signature is checked where the app has a
  /// secret; otherwise the userinfo service.
  static func identity(clientSecret: Secret?) -> OAuthIdentity {
    OAuthIdentity { tokens, _ in
      _ = try instance(tokens)
      if let clientSecret { try checkSignature(tokens, clientSecret) }
      return tokens.members[SalesforceTokens.Name.identityURL]?.string.flatMap(SalesforceTokens.url)
        .flatMap { SalesforceUserIdentity(identityURL: $0) }.map { Session.User(id: $0.name) }
    } find: { tokens, _, context in
      let service = try instance(tokens).appending(path: "services/oauth2/userinfo")
      return try await lookUp(tokens.accessToken, at: service, in: context)
    }
  }

  private static func instance(_ tokens: TokenSet) throws -> URL {
    guard let instance = tokens.members[SalesforceTokens.Name.instanceURL]?.string.flatMap(SalesforceTokens.url),
      SalesforceTokens.isUsable(instance)
    else { throw OstiaryError(.unexpectedResponse, "The server did not say at which encrypted address the org is.") }
    return instance
  }

  /// Asks whose a new token is. Only a refusal of the token itself is terminal: a service that is not found, or that this
  /// app may not use, says nothing of the token.
  private static func lookUp(
    _ accessToken: Secret, at url: URL, in context: AuthenticationContext
  ) async throws -> Session.User {
    do {
      let document = try await SalesforceIdentityService.document(accessToken: accessToken, at: url, in: context)
      return Session.User(id: document.identity.name, displayName: document.username)
    } catch var error as OstiaryError {
      if error.disposition == .terminal, error.code != .salesforceSessionInvalid {
        error.disposition = .transient(retryAfter: nil)
      }
      throw error
    }
  }

  private static func checkSignature(_ tokens: TokenSet, _ clientSecret: Secret) throws {
    // Not every flow's answer has one.
    guard let signature = tokens.members[SalesforceTokens.Name.signature]?.string else { return }
    guard let url = tokens.members[SalesforceTokens.Name.identityURL]?.string,
      let issuedAt = tokens.members[SalesforceTokens.Name.issuedAt]?.string,
      SalesforceSignature.isValid(signature, identityURL: url, issuedAt: issuedAt, clientSecret: clientSecret)
    else {
      throw OstiaryError(
        .unexpectedResponse, "The signature of the server's answer is wrong.",
        advice: "Check the connected app's secret; if it is right, the answer was changed on the way.")
    }
  }

  /// Hides what else in an answer is as good as a token, and notes whose client it was, and the user's name.
  private func keep(_ grant: SessionGrant, _ username: String? = nil) -> SessionGrant {
    var grant = grant
    for (name, value) in grant.attributes where Self.isSecret(name) {
      grant.attributes[name] = nil
      grant.proof.tokens[name] = value.string.map { Secret($0) }
    }
    // A renewed session has been keeping these.
    func note(_ name: String, _ value: String) { grant.attributes[name] = grant.attributes[name] ?? .string(value) }
    note(SalesforceTokens.Name.clientID, clientID)
    note(Self.loginHostAttribute, host.url.absoluteString)
    if let username { note(Session.salesforceUsernameAttribute, username) }
    return grant
  }

  /// Session identifiers for the org's other domains, and what belongs to them.
  private static func isSecret(_ name: String) -> Bool {
    name.hasSuffix("_sid") || name.hasPrefix("cookie-") || name == "csrf_token"
  }

  private func check(_ grant: SessionGrant, replacing session: Session) throws -> SessionGrant {
    var grant = grant
    let attributes = grant.attributes
    if let url = attributes[SalesforceTokens.Name.identityURL]?.string.flatMap(SalesforceTokens.url),
      let identity = SalesforceUserIdentity(identityURL: url), let before = SalesforceUserIdentity(session.user),
      identity != before
    {
      throw OstiaryError(.unexpectedResponse, "The server answered a renewal with the tokens of another user.")
    }
    guard let instance = attributes[SalesforceTokens.Name.instanceURL]?.string.flatMap(SalesforceTokens.url),
      SalesforceTokens.isUsable(instance)
    else { throw OstiaryError(.unexpectedResponse, "The server moved the org to an address that is not encrypted.") }
    grant.attributes = SalesforceInstances.keep(session.attributes, in: attributes)
    return grant
  }

  private func takeOver(
    _ proof: Proof, _ context: AuthenticationContext, _ translated: AuthenticationContext
  ) async throws -> SessionGrant {
    guard let tokens = SalesforceTokens(proof, clientID: clientID) else {
      throw OstiaryError(
        .unsupportedCredential, "The proof has no access token and instance URL that could be used.",
        advice: "Hand over the tokens' answer as it came.", requestMayHaveExecuted: false)
    }
    do {
      let presented = try oauth.presenting(proof, in: context)
      return keepKey(
        of: proof, in: grant(tokens, try await SalesforceIdentityService.document(for: tokens, in: presented)))
    } catch let error as OstiaryError where error.code == .salesforceSessionInvalid {
      guard let refreshToken = tokens.refreshToken else { throw error }
      let before = keepKey(of: proof, in: grant(tokens, nil))
      let newer: TokenSet
      do {
        let client = try oauth.proving(with: proof)?.client ?? oauth.client
        newer = try await client.refresh(refreshToken, parameters: renewalParameters, in: translated)
      } catch let refusal as OstiaryError where refusal.disposition == .terminal {
        throw OstiaryError.salesforceSessionInvalid(refusal.message, underlying: refusal)
      }
      var grant = newer.grant(for: before.user)
      grant.attributes.merge(before.attributes) { new, _ in new }
      grant.proof.tokens.merge(before.proof.tokens) { new, _ in new }
      grant = keep(grant)
      guard let renewed = SalesforceTokens(grant, clientID: clientID) else {
        throw OstiaryError(.unexpectedResponse, "The server moved the org to an address that is not encrypted.")
      }
      // The old refresh token may be spent by now: what was given must not be lost with a look-up that fails.
      grant.user = Session.User(id: renewed.identity?.name ?? clientID)
      grant.needsIdentification = true
      return grant
    }
  }

  /// The grant with the key that tokens from elsewhere are bound to.
  private func keepKey(of proof: Proof, in grant: SessionGrant) -> SessionGrant {
    var grant = grant
    for name in [OAuthAuthenticator.proofKey, OAuthAuthenticator.tokenType] {
      grant.proof.tokens[name] = proof.tokens[name] ?? grant.proof.tokens[name]
    }
    return grant
  }

  private func grant(_ tokens: SalesforceTokens, _ document: SalesforceIdentityDocument?) -> SessionGrant {
    let identity = document?.identity ?? tokens.identity
    var proof = Proof(tokens: [SalesforceTokens.Name.accessToken: tokens.accessToken])
    proof.tokens[SalesforceTokens.Name.refreshToken] = tokens.refreshToken
    var attributes: [String: JSONValue] = [
      SalesforceTokens.Name.instanceURL: .string(tokens.instanceURL.absoluteString)
    ]
    attributes[SalesforceTokens.Name.identityURL] = tokens.identityURL.map { .string($0.absoluteString) }
    attributes[SalesforceTokens.Name.communityURL] = tokens.communityURL.map { .string($0.absoluteString) }
    attributes[SalesforceTokens.Name.communityID] = tokens.communityID.map { .string($0) }
    attributes[Session.salesforceDocumentAttribute] = document?.stored
    return keep(
      SessionGrant(
        user: Session.User(id: identity?.name ?? "", displayName: document?.username), proof: proof,
        attributes: attributes))
  }
}

extension AuthenticationContext {
  /// The same, through the token endpoint's dialect.
  fileprivate var translated: AuthenticationContext {
    AuthenticationContext(
      transport: SalesforceDialect(transport), clock: clock, logger: logger, challenge: challenge, previous: previous,
      challengedAddress: challengedAddress)
  }
}

/// Remembers where an org was before it moved, so that requests that were on their way there find it.
enum SalesforceInstances {
  /// The session attribute with earlier addresses, latest first.
  private static let name = "earlier_instance_urls"
  private static let limit = 4

  static func earlier(_ attributes: [String: JSONValue]) -> [Origin] {
    (attributes[name]?.array ?? []).prefix(limit).compactMap { $0.string }.compactMap { URL(string: $0) }
      .compactMap { Origin($0) }
  }

  /// The attributes of a renewed session, knowing the addresses of the one before.
  static func keep(_ old: [String: JSONValue], in new: [String: JSONValue]) -> [String: JSONValue] {
    func instance(_ attributes: [String: JSONValue]) -> Origin? {
      attributes[SalesforceTokens.Name.instanceURL]?.string.flatMap { URL(string: $0) }.flatMap { Origin($0) }
    }
    var attributes = new
    guard let before = instance(old), let now = instance(new), before != now else { return attributes }
    let all = [before] + earlier(old).filter { $0 != before && $0 != now }
    attributes[name] = .array(all.prefix(limit).map { .string($0.description) })
    return attributes
  }
}
