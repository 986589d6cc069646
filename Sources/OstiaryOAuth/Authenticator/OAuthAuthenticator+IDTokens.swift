internal import Foundation
public import OstiaryCore
internal import OstiaryJOSE

// What is made of ID tokens: at a sign-in, at a renewal, and of those that come from elsewhere.
extension OAuthAuthenticator {
  /// What the app got tokens for by itself, as a sign-in gives it: for `SessionManager.signIn(with:)`, or
  /// ``identify(_:in:)`` where there is no manager. Its ID token is verified there.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `idTokenRefused` where an ID token was asked for and the server gave none.
  public func grant(for tokens: TokenSet, in context: AuthenticationContext) async throws -> SessionGrant {
    if let located = try await located() { return located.marked(try await located.grant(for: tokens, in: context)) }
    return try await grant(tokens, context)
  }

  // MARK: Before the judgement

  /// What an exchange gave, to be judged in the next step; `nil` where there is no ID token that could be.
  /// - Throws: `idTokenRefused` where one was asked for and the server gave none.
  func awaitingJudgement(_ tokens: TokenSet, _ context: AuthenticationContext) async throws -> SessionGrant? {
    guard client.idTokens != nil else { return nil }
    guard let unjudged = tokens.awaitingJudgement(over: nil, now: context.clock.now) else {
      // A server may grant less than was asked for, and says so (RFC 6749 §3.3).
      guard tokens.expectation == nil || (tokens.scope != nil && !tokens.scopes.contains("openid")) else {
        await giveBack(tokens, context)
        throw OstiaryError.idTokenRefused(
          JOSEError(
            .claimMissing, "The server gave no ID token, though one was asked for.",
            source: "OpenID Connect Core §3.1.3.3"))
      }
      return nil
    }
    var grant = unjudged.grant(for: Session.User(id: client.id))
    grant.needsIdentification = true
    return grant
  }

  /// What a renewal gave. Where it has to be judged, it is written before.
  func renewal(
    _ tokens: TokenSet, of old: TokenSet, _ user: Session.User, _ context: AuthenticationContext
  ) -> SessionGrant {
    // One that was judged before and is sent again says nothing new.
    let isNew = tokens.idToken != old.idToken || old.trust == nil
    guard client.idTokens != nil, isNew,
      let unjudged = tokens.awaitingJudgement(over: old, now: context.clock.now)
    else {
      if !isNew { return tokens.keepingVerification(of: old).grant(for: user) }
      return tokens.keeping(from: old).grant(for: user)
    }
    var grant = unjudged.grant(for: user)
    grant.needsJudgement = true
    return grant
  }

  // MARK: The judgement

  /// The tokens of a sign-in, with an ID token that is believed.
  /// - Throws: `idTokenRefused`, terminal; a transient error where the issuer's keys can't be had.
  func judgeSignIn(_ tokens: TokenSet, _ context: AuthenticationContext) async throws -> TokenSet {
    guard let unjudged = tokens.unjudged else { return tokens }
    guard let policy = client.idTokens else { return tokens.unread() }
    switch try await policy.judge(file(unjudged, earlier: nil), kept: nil, in: context) {
    case .believed(let token): return tokens.judged(token)
    case .refused(let error) where error.code == .anotherSubject:
      throw OstiaryError(
        .anotherUser, "Another user has signed in than the session's.", advice: "Sign in as the same user.",
        disposition: .terminal, underlying: error)
    case .refused(let error): throw OstiaryError.idTokenRefused(error)
    }
  }

  /// The tokens of a renewal. An ID token that is not believed is dropped, and the session goes on; one of the issuer's own for this
  /// client about another user ends it.
  /// - Throws: `anotherUser`, terminal; a transient error where the issuer's keys can't be had.
  func judgeRenewal(
    _ tokens: TokenSet, _ unjudged: UnjudgedTokens, of session: Session, _ context: AuthenticationContext
  ) async throws -> SessionGrant {
    // A program without a policy keeps tokens unread, as it does with others.
    guard let policy = client.idTokens else { return judgement(tokens.unread(), of: session) }
    let earlier = tokens.idToken.flatMap(EarlierIDToken.init)
    switch try await policy.judge(file(unjudged, earlier: earlier), kept: tokens.trust?.keys, in: context) {
    case .believed(let token):
      guard earlier != nil || identity.allows(token, for: session.user, of: client) else {
        // Nothing but the name that the session goes by speaks against it.
        let error = JOSEError(
          .anotherSubject, "The session's first ID token is about another user.", source: "OpenID Connect Core §12.2")
        return dropped(tokens, of: session, error)
      }
      return judgement(tokens.judged(token), of: session)
    case .refused(let error) where error.code == .anotherSubject:
      await giveBack(tokens, context)
      throw OstiaryError(
        .anotherUser, "The server gave tokens of another user to the renewal.", advice: "Sign in again.",
        disposition: .terminal, underlying: error)
    case .refused(let error): return dropped(tokens, of: session, error)
    }
  }

  private func judgement(_ tokens: TokenSet, of session: Session) -> SessionGrant {
    var grant = tokens.grant(for: session.user, besides: session.proof)
    grant.isJudgement = true
    return grant
  }

  private func dropped(_ tokens: TokenSet, of session: Session, _ error: JOSEError) -> SessionGrant {
    var grant = judgement(tokens.judged(nil), of: session)
    grant.droppedPart = "the ID token: \(error)"
    return grant
  }

  /// Tokens that were obtained elsewhere. Their ID token may be old; where it is not believed, it goes, and the server is asked.
  func judgeHandedOver(_ tokens: TokenSet, _ context: AuthenticationContext) async throws -> TokenSet {
    guard let policy = client.idTokens,
      let unjudged = tokens.awaitingJudgement(over: nil, now: context.clock.now)?.unjudged
    else { return tokens }
    var judged = tokens
    switch try await policy.judge(file(unjudged, earlier: nil), kept: nil, in: context) {
    case .believed(let token):
      judged.trust = IDTokenTrust(token, keeping: nil)
      judged.verified = token
    case .refused:
      judged.idToken = nil
      judged.trust = nil
    }
    return judged
  }

  private func file(_ unjudged: UnjudgedTokens, earlier: EarlierIDToken?) -> IDTokenCase {
    IDTokenCase(
      text: unjudged.idToken, accessToken: unjudged.accessToken, clientID: client.id,
      secret: client.authentication.secret, expectation: unjudged.expectation, earlier: earlier,
      cameAt: unjudged.cameAt)
  }

  /// Whose the tokens are, after their ID token has been judged.
  func user(of tokens: TokenSet, _ context: AuthenticationContext) async throws -> Session.User {
    if tokens.verified != nil, let user = try identity.known(tokens, client) { return user }
    return try await identity.find(tokens, client, context)
  }
}
