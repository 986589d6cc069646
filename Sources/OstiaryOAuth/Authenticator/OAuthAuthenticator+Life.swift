internal import Foundation
public import OstiaryCore

extension OAuthAuthenticator {
  /// Signs in.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `grantRefused`, `invalidCredentials`, `interactionCancelled` and others of
  ///   ``TerminalRefusals`` as the server's word; `clientRefused` when the client's registration is wrong;
  ///   `callbackRefused`; `serverUnavailable`, `unexpectedResponse` and the network's own errors.
  public func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    if let located = try await located() {
      return located.marked(try await located.signIn(with: credential, in: context))
    }
    if let proving = try await proving(for: credential) { return try await proving.signInProving(credential, context) }
    let tokens: TokenSet
    switch credential {
    case .byHandler:
      guard let flow else { throw Self.unsupported("The authenticator has no flow that gets tokens by itself.") }
      tokens = try await flow.run(asking, context)
    case .request(let request):
      tokens = try await client.tokens(sending: request, in: context)
    case .password(let username, let password):
      guard insecurelyTakesPasswords else {
        throw Self.unsupported("Passwords are not exchanged for tokens unless that is allowed.")
      }
      tokens = try await client.insecureTokens(
        forUsername: username, password: password, scope: passwordScope, in: context)
    case .proof(let proof):
      return try await takeOver(proof, context)
    }
    return try await grant(tokens, context)
  }

  /// Verifies the ID token and, where that does not say it, asks the server whose tokens were given: the second step of a sign-in.
  /// Keys that can't be had and a look-up that fails can be asked for again: the tokens stay good.
  /// - Throws: ``/OstiaryCore/OstiaryError``; `grantRefused` when the server says that the new tokens are not good, and what
  ///   ``OAuthIdentity`` throws. After a terminal one the tokens have been revoked.
  public func identify(_ grant: SessionGrant, in context: AuthenticationContext) async throws -> SessionGrant {
    guard grant.needsIdentification, let tokens = TokenSet(grant) else { return grant }
    if let located = try await located(by: grant.proof) { return try await located.identify(grant, in: context) }
    if let proving = try proving(with: grant.proof) { return try await proving.identify(grant, in: context) }
    do {
      let judged = try await judgeSignIn(tokens, context)
      var identified = tokens.unjudged == nil ? grant : judged.grant(for: grant.user, besides: grant.proof)
      identified.user = try await user(of: judged, given: tokens, context)
      identified.needsIdentification = false
      return identified
    } catch let error as OstiaryError where error.disposition == .terminal {
      await giveBack(tokens, context)
      throw error
    }
  }

  /// Refreshes; without a refresh token, runs a flow that takes no person. A newer ID token is judged when it has been written
  /// (`SessionGrant.needsJudgement`): the renewal of a session that has one is its judgement, and sends no refresh token.
  public func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
    keepingResources(of: session, try await renewed(session, context))
  }

  private func renewed(_ session: Session, _ context: AuthenticationContext) async throws -> Renewal {
    if isElsewhere(session) { return .needsCredential }
    if let located = try await located(by: session.proof) {
      return located.marked(try await located.renew(session, in: context))
    }
    guard let old = TokenSet(session) else { return .needsCredential }
    if let proving = try await proving(renewing: session) { return try await proving.renew(session, in: context) }
    if let unjudged = old.unjudged { return .renewed(try await judgeRenewal(old, unjudged, of: session, context)) }
    if let refreshToken = old.refreshToken {
      do {
        // The session knows the server's clock.
        let tokens = try await client.refresh(
          refreshToken, parameters: renewalParameters, in: context.replacing(session))
        return .renewed(renewal(tokens, of: old, session.user, context))
      } catch let error as OstiaryError {
        // The rest of the answer is of no use, but the old refresh token is spent, and the next renewal needs this one.
        guard let newer = error.underlying as? RotatedToken, newer.refreshToken != refreshToken else { throw error }
        var tokens = old
        tokens.refreshToken = newer.refreshToken
        return .renewed(tokens.grant(for: session.user))
      }
    }
    guard let flow, !flow.needsPerson else { return .needsCredential }
    let tokens = try await flow.run(client, context.replacing(session))
    return .renewed(renewal(tokens, of: old, session.user, context))
  }

  /// Asks the userinfo endpoint, or the introspection endpoint where there is no other.
  public func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    guard let tokens = TokenSet(session) else { return .invalid(reason: "The session has no access token.") }
    if let located = try await located(by: session.proof) { return try await located.verify(session, in: context) }
    if let proving = try proving(with: session.proof) { return try await proving.verify(session, in: context) }
    if let other = askingElsewhere(about: session) { return try await other.verify(session, in: context) }
    return try await verify(tokens, context.replacing(session))
  }

  /// Revokes the refresh token and then the access token (RFC 7009). Each is tried, also when the other fails.
  public func end(_ session: Session, in context: AuthenticationContext) async throws {
    guard let tokens = TokenSet(session) else { return }
    if let located = try await located(by: session.proof) { return try await located.end(session, in: context) }
    if let revoking = try await findingRevocation() { return try await revoking.end(session, in: context) }
    let context = context.replacing(session)
    var failure: (any Error)?
    if let refreshToken = tokens.refreshToken {
      do { try await client.revoke(refreshToken, kind: .refreshToken, in: context) } catch { failure = error }
    }
    do {
      try await client.revoke(tokens.newestAccessToken, kind: .accessToken, in: context)
    } catch {
      failure = failure ?? error
    }
    for token in resourceTokens(of: session) {
      do { try await client.revoke(token, kind: .accessToken, in: context) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Asks the userinfo or the introspection endpoint about the revoked token. Without either, the revocation endpoint's
  /// success is the server's sign that the tokens are worthless (RFC 7009 §2.2).
  package func confirmEnd(of session: Session, in context: AuthenticationContext) async -> EndConfirmation {
    do {
      if let located = try await located(by: session.proof) {
        return await located.confirmEnd(of: session, in: context)
      }
    } catch {
      let message = (error as? OstiaryError)?.message ?? "\(type(of: error))"
      return .localOnly(reason: "the server could not be found afterwards: \(message)")
    }
    if let other = askingElsewhere(about: session) { return await other.confirmEnd(of: session, in: context) }
    if let revoking = knowingRevocation() { return await revoking.confirmEnd(of: session, in: context) }
    guard client.endpoints.revocation != nil else {
      return .localOnly(
        reason: "the server has no revocation endpoint that is known here; its tokens run out by themselves")
    }
    guard client.endpoints.userInfo == nil, client.endpoints.introspection == nil else {
      return await confirmEndByProof(of: session, in: context)
    }
    return .confirmed(seen: "the server said that it has revoked the tokens")
  }

  // MARK: Inside

  private static func unsupported(_ message: String) -> OstiaryError {
    OstiaryError(
      .unsupportedCredential, message, advice: "Give the authenticator a flow, or hand over tokens.",
      requestMayHaveExecuted: false)
  }

  /// What an exchange gave. Where the server has to be asked whose it is, that is another step: what the exchange used up
  /// is gone, and must not be lost with a look-up that fails.
  func grant(_ tokens: TokenSet, _ context: AuthenticationContext) async throws -> SessionGrant {
    if let unjudged = try await awaitingJudgement(tokens, context) { return unjudged }
    if let user = try identity.known(tokens, client) { return tokens.grant(for: user) }
    var grant = tokens.grant(for: Session.User(id: client.id))
    grant.needsIdentification = true
    return grant
  }

  /// Revokes tokens that the server has called worthless, as far as it goes: this side forgets them.
  func giveBack(_ tokens: TokenSet, _ context: AuthenticationContext) async {
    if let refreshToken = tokens.refreshToken {
      try? await client.revoke(refreshToken, kind: .refreshToken, in: context)
    }
    try? await client.revoke(tokens.newestAccessToken, kind: .accessToken, in: context)
  }

  private func takeOver(_ proof: Proof, _ context: AuthenticationContext) async throws -> SessionGrant {
    if let tokens = TokenSet(proof) {
      guard TokenSet.isToken(tokens.accessToken.reveal()) else {
        throw OstiaryError.invalidOAuthInput("The access token has characters that none has.", "Check the token.")
      }
      if client.endpoints.userInfo == nil, client.endpoints.introspection != nil,
        case .invalid(let reason) = try await verify(tokens, context)
      {
        throw OstiaryError(.grantRefused, reason, advice: "Sign in again.", disposition: .terminal)
      }
      let judged = try await judgeHandedOver(tokens, context)
      return judged.grant(for: try await user(of: judged, given: tokens, context))
    }
    guard let refreshToken = proof.tokens[Self.refreshToken], !refreshToken.isEmpty else {
      throw Self.unsupported("The proof has neither an access token nor a refresh token.")
    }
    var tokens = try await client.refresh(refreshToken, parameters: renewalParameters, in: context)
    tokens.refreshToken = tokens.refreshToken ?? refreshToken
    return try await grant(tokens, context)
  }

  private func verify(
    _ tokens: TokenSet, _ context: AuthenticationContext
  ) async throws -> Verification {
    guard tokens.unjudged == nil else {
      throw OstiaryError(
        .serverUnavailable, "The newest tokens have not been judged yet.", requestMayHaveExecuted: false)
    }
    if client.endpoints.userInfo != nil {
      do {
        let members = try await client.userInfo(with: tokens.accessToken, in: context)
        guard OAuthIdentity.user(in: members) != nil, tokens.isAbout(members) else {
          throw OstiaryError(.unexpectedResponse, "The server did not say whose token it is.")
        }
        return .valid(attributes: nil)
      } catch let error as OstiaryError where error.code == .grantRefused {
        return .invalid(reason: error.message)
      }
    }
    guard client.endpoints.introspection != nil else {
      throw OstiaryError(
        .nothingToAsk, "There is no endpoint that could be asked about the tokens.",
        advice: "Give the client a userinfo or introspection endpoint.", requestMayHaveExecuted: false)
    }
    let answer = try await client.introspect(tokens.accessToken, in: context)
    return answer.isActive ? .valid(attributes: nil) : .invalid(reason: "The server says that the token is not active.")
  }
}
