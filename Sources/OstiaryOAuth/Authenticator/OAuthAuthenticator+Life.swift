internal import Foundation
public import OstiaryCore

extension OAuthAuthenticator {
  /// Signs in.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `grantRefused`, `invalidCredentials`, `interactionCancelled` and others of
  ///   ``TerminalRefusals`` as the server's word; `clientRefused` when the client's registration is wrong;
  ///   `callbackRefused`; `serverUnavailable`, `unexpectedResponse` and the network's own errors.
  public func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    let tokens: TokenSet
    switch credential {
    case .byHandler:
      guard let flow else { throw Self.unsupported("The authenticator has no flow that gets tokens by itself.") }
      tokens = try await flow.run(client, context)
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

  /// Refreshes; without a refresh token, runs a flow that takes no person.
  public func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
    guard let old = TokenSet(session) else { return .needsCredential }
    if let refreshToken = old.refreshToken {
      let tokens = try await client.refresh(refreshToken, parameters: renewalParameters, in: context)
      return .renewed(tokens.keeping(from: old).grant(for: session.user))
    }
    guard let flow, !flow.needsPerson else { return .needsCredential }
    return .renewed(try await flow.run(client, context).keeping(from: old).grant(for: session.user))
  }

  /// Asks the userinfo endpoint, or the introspection endpoint where there is no other.
  public func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    guard let tokens = TokenSet(session) else { return .invalid(reason: "The session has no access token.") }
    return try await verify(tokens, context)
  }

  /// Revokes the refresh token and then the access token (RFC 7009). Each is tried, whatever comes of the other.
  public func end(_ session: Session, in context: AuthenticationContext) async throws {
    guard let tokens = TokenSet(session) else { return }
    var failure: (any Error)?
    if let refreshToken = tokens.refreshToken {
      do { try await client.revoke(refreshToken, kind: .refreshToken, in: context) } catch { failure = error }
    }
    do {
      try await client.revoke(tokens.accessToken, kind: .accessToken, in: context)
    } catch {
      failure = failure ?? error
    }
    if let failure { throw failure }
  }

  // MARK: Inside

  private static func unsupported(_ message: String) -> OstiaryError {
    OstiaryError(
      .unsupportedCredential, message, advice: "Give the authenticator a flow, or hand over tokens.",
      requestMayHaveExecuted: false)
  }

  /// Finds out whose tokens they are. Tokens that then can't be used are given back, for nobody else has them.
  private func grant(_ tokens: TokenSet, _ context: AuthenticationContext) async throws -> SessionGrant {
    do {
      return tokens.grant(for: try await identity.find(tokens, client, context))
    } catch {
      if let refreshToken = tokens.refreshToken {
        try? await client.revoke(refreshToken, kind: .refreshToken, in: context)
      }
      try? await client.revoke(tokens.accessToken, kind: .accessToken, in: context)
      throw error
    }
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
      return tokens.grant(for: try await identity.find(tokens, client, context))
    }
    guard let refreshToken = proof.tokens[Self.refreshToken], !refreshToken.isEmpty else {
      throw Self.unsupported("The proof has neither an access token nor a refresh token.")
    }
    var tokens = try await client.refresh(refreshToken, parameters: renewalParameters, in: context)
    tokens.refreshToken = tokens.refreshToken ?? refreshToken
    return tokens.grant(for: try await identity.find(tokens, client, context))
  }

  private func verify(
    _ tokens: TokenSet, _ context: AuthenticationContext
  ) async throws -> Verification {
    if client.endpoints.userInfo != nil {
      do {
        _ = try await client.userInfo(with: tokens.accessToken, in: context)
        return .valid(attributes: nil)
      } catch let error as OstiaryError where error.code == .grantRefused {
        return .invalid(reason: error.message)
      }
    }
    guard client.endpoints.introspection != nil else {
      throw OstiaryError(
        .unexpectedResponse, "There is nobody to ask about the tokens.",
        advice: "Give the client a userinfo or introspection endpoint.", disposition: .misuse,
        requestMayHaveExecuted: false)
    }
    let answer = try await client.introspect(tokens.accessToken, in: context)
    return answer.isActive ? .valid(attributes: nil) : .invalid(reason: "The server says that the token is not active.")
  }
}
