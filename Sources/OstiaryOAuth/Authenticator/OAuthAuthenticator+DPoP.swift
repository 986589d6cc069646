internal import Foundation
internal import HTTPTypes
package import OstiaryCore

// Sessions whose tokens are bound to a key (RFC 9449).
extension OAuthAuthenticator {
  /// Among a proof's tokens, what is kept of the key that the others are bound to.
  public static let proofKey = TokenSet.Name.proofKey

  // MARK: At the authorization server

  /// The authenticator with a key for a sign-in, of its own or the one that is handed over; `nil` where it needs none, or has it.
  func proving(for credential: Credential) async throws -> OAuthAuthenticator? {
    if case .proof(let proof) = credential { return try proving(with: proof) }
    return try await provingNewKey()
  }

  /// The authenticator with the key of a session. A flow that gives a session from before keys were wanted new tokens has a key.
  func proving(renewing session: Session) async throws -> OAuthAuthenticator? {
    if let proving = try proving(with: session.proof) { return proving }
    let isRefreshed = session.proof.tokens[Self.refreshToken].map { !$0.isEmpty } ?? false
    return isRefreshed ? nil : try await provingNewKey()
  }

  /// The authenticator with the key that a proof has; `nil` where it has none.
  /// - Throws: ``OstiaryError``: `proofKeyUnavailable`, or `proofKeyLost`, which is terminal.
  package func proving(with proof: Proof) throws -> OAuthAuthenticator? {
    guard client.binding == nil, let stored = proof.tokens[Self.proofKey] else { return nil }
    var proving = self
    proving.client = try client.proving(keyStoredAs: stored)
    let type = proof.tokens[Self.tokenType]?.reveal() ?? TokenSet.bearer
    proving.client.binding?.tokens =
      TokenSet.isDPoP(type) ? .bound : takesBearerTokens ? .insecureBearer : .unusable
    return proving
  }

  private func provingNewKey() async throws -> OAuthAuthenticator? {
    guard client.binding == nil, let dpop = client.dpop else { return nil }
    var proving = self
    proving.client = client.proving(with: try await dpop.keys.makeKey())
    return proving
  }

  /// Signs in, and revokes tokens that are not taken.
  func signInProving(_ credential: Credential, _ context: AuthenticationContext) async throws -> SessionGrant {
    do {
      return try await signIn(with: credential, in: context)
    } catch let error as OstiaryError {
      if let unbound = error.underlying as? UnboundTokens { await giveBack(unbound.tokens, context) }
      throw error
    }
  }

  /// The same context for requests that carry a proof's access token as a bearer token: where it is bound to a key, they carry it with a
  /// proof.
  /// - Throws: ``OstiaryError``: `proofKeyUnavailable`, `proofKeyLost`, or `tokenNotBound`.
  package func presenting(_ proof: Proof, in context: AuthenticationContext) throws -> AuthenticationContext {
    guard let proving = try proving(with: proof), let token = proof.tokens[Self.accessToken] else { return context }
    switch proving.client.binding?.tokens {
    case nil, .insecureBearer?: return context
    case .unusable?: throw OstiaryError.tokenNotBound
    case .bound?: break
    }
    return AuthenticationContext(
      transport: BoundTokenTransport(proving.client, token, in: context), clock: context.clock, logger: context.logger,
      challenge: context.challenge, previous: context.previous, challengedAddress: context.challengedAddress)
  }

  // MARK: At the API

  private var takesBearerTokens: Bool { client.dpop?.insecurelyAcceptsBearerTokens == true }

  /// What makes the proofs of a session's requests; `nil` where its token is good without.
  /// - Parameter before: changes a request's address before.
  package func requestProof(for session: Session, after before: (any RequestProof)? = nil) -> (any RequestProof)? {
    TokenSet(session).flatMap { requestProof(for: $0, clockSkew: session.clockSkew, after: before) }
  }

  /// The same for tokens with a session's key.
  func requestProof(
    for tokens: TokenSet, clockSkew: TimeInterval, after before: (any RequestProof)? = nil
  ) -> (any RequestProof)? {
    guard let stored = tokens.proofKey, TokenSet.isToken(tokens.accessToken.reveal()),
      tokens.isBound || !takesBearerTokens
    else { return nil }
    let subject = DPoPRequestProof.Subject(
      accessToken: tokens.accessToken, isBound: tokens.isBound, storedKey: stored,
      source: (client.dpop ?? DPoP()).keys, memory: client.proofMemory, clockSkew: clockSkew)
    return DPoPRequestProof(subject, after: before)
  }
}

/// Sends requests with a proof in place of the bearer token that they were made with. Others go as they are.
private struct BoundTokenTransport: Transport {
  private let client: OAuthClient
  private let token: Secret
  private let context: AuthenticationContext

  init(_ client: OAuthClient, _ token: Secret, in context: AuthenticationContext) {
    self.client = client
    self.token = token
    self.context = context
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard carriesToken(request) else { return try await context.transport.send(request) }
    var bound = request
    bound.head.headerFields[.authorization] = "DPoP " + token.reveal()
    let answered = try await client.exchange(
      at: Origin(request.head), provesKey: true, accessToken: token, in: context
    ) { [bound] _ in bound }
    if let refusal = DPoPRefusal(answered.response.head) { throw OstiaryError.proofRefused(refusal.rawValue) }
    return answered.response
  }

  /// A token that is bound goes with a proof, or not at all.
  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    guard !carriesToken(request) else {
      throw OstiaryError(.internalError, "A bound token was to go without a proof.", requestMayHaveExecuted: false)
    }
    return try await context.transport.stream(request)
  }

  private func carriesToken(_ request: TransportRequest) -> Bool {
    request.head.headerFields[.authorization] == "Bearer " + token.reveal()
  }
}
