internal import Foundation
package import HTTPTypes
public import OstiaryCore

// Sessions with an access token for each API, from one refresh token (RFC 8707 §2.2).
extension OAuthAuthenticator: AuthenticatorWithParts {
  package func hasPart(for request: HTTPRequest) -> Bool {
    resources.contains { resource in resource.places.contains { $0.has(request) } }
  }

  /// Asks for the token of one resource. The session's other access tokens stay as they are; what the refresh token became is kept with it.
  /// An ID token in the answer is none of the session's.
  package func renew(
    _ session: Session, part name: String, in context: AuthenticationContext
  ) async throws -> Renewal {
    if isElsewhere(session) { return .needsCredential }
    if let located = try await located(by: session.proof) {
      return located.marked(try await located.renew(session, part: name, in: context))
    }
    guard let old = TokenSet(session), let resource = resources.first(where: { $0.name == name }) else {
      return .needsCredential
    }
    // What was given last is judged before anything is asked for with it.
    if old.unjudged != nil { return try await renew(session, in: context) }
    if let proving = try await proving(renewing: session) {
      return try await proving.renew(session, part: name, in: context)
    }
    guard let refreshToken = old.refreshToken else { return .needsCredential }
    var kept = old
    var token: Secret?
    do {
      let tokens = try await client.refresh(
        refreshToken, scope: resource.scope, parameters: parameters(of: resource), in: context.replacing(session))
      kept.refreshToken = tokens.refreshToken ?? refreshToken
      token = ResourceToken(tokens, givenAt: context.clock.now).text
    } catch let error as OstiaryError {
      // The rest of the answer is of no use, but the old refresh token is spent.
      guard let newer = error.underlying as? RotatedToken, newer.refreshToken != refreshToken else {
        throw Self.ofResource(error)
      }
      kept.refreshToken = newer.refreshToken
    }
    var grant = kept.grant(for: session.user, besides: session.proof)
    if let token { grant.proof.tokens[resource.tokenName] = token }
    return .renewed(grant)
  }

  /// The renewal's outcome with the tokens of resources, which it says nothing of.
  func keepingResources(of session: Session, _ renewal: Renewal) -> Renewal {
    guard case .renewed(var grant) = renewal else { return renewal }
    let kept = session.proof.tokens.filter { $0.key.hasPrefix(OAuthResource.tokenPrefix) }
    grant.proof.tokens.merge(kept) { own, _ in own }
    return .renewed(grant)
  }

  /// The access tokens of resources that a session has.
  func resourceTokens(of session: Session) -> [Secret] {
    session.proof.tokens.filter { $0.key.hasPrefix(OAuthResource.tokenPrefix) }.sorted { $0.key < $1.key }
      .compactMap { ResourceToken($0.value)?.accessToken }
  }

  /// What requests to each resource's addresses get.
  func parts(of session: Session) -> [ProofPart] {
    guard !resources.isEmpty else { return [] }
    let main = TokenSet(session)
    return resources.flatMap { resource -> [ProofPart] in
      let token = session.proof.tokens[resource.tokenName].flatMap(ResourceToken.init)
      var proof: (any RequestProof)?
      var fields: [HTTPField] = []
      if let token, var tokens = main {
        tokens.accessToken = token.accessToken
        tokens.tokenType = token.tokenType
        proof = requestProof(for: tokens, clockSkew: session.clockSkew)
        if proof == nil {
          fields = [HTTPField(name: .authorization, value: "Bearer " + token.accessToken.reveal())]
        }
      }
      return resource.places.map { place in
        ProofPart(
          resource.name,
          ProofAttachment(origins: [place.origin], fields: fields, perRequest: proof, below: place.path),
          proof: main == nil ? nil : token?.accessToken, of: session.version.lineage,
          givenAt: token?.givenAt ?? .distantPast, expiresAt: token?.expiresAt)
      }
    }
  }

  /// The client as it asks a user for all that the session is for.
  var asking: OAuthClient {
    var asking = client
    asking.otherResources = resources.flatMap { resource in
      resource.parameters.all.filter { $0.name == "resource" }.map(\.value)
    }
    return asking
  }

  private func parameters(of resource: OAuthResource) -> OAuthParameters {
    var all = resource.parameters
    for extra in renewalParameters.all
    where !["resource", "audience"].contains(extra.name) && resource.parameters[extra.name] == nil {
      all.add(extra.name, extra.value)
    }
    return all
  }

  /// What a refusal of one resource's token means: only what is said of the refresh token is said of the session.
  private static func ofResource(_ error: OstiaryError) -> OstiaryError {
    guard let refusal = error.underlying as? OAuthRefusal else { return error }
    let isOfGrant = refusal.code == .invalidGrant && (refusal.suberror.map(suberrorsOfGrant.contains) ?? true)
    let isOfResource = [.invalidTarget, .invalidScope].contains(refusal.code)
    guard isOfResource || (error.disposition == .terminal && !isOfGrant) else { return error }
    return OstiaryError(
      .noProofForAddress, "The authorization server gives no token for this API: \(error.message)",
      requestMayHaveExecuted: false, underlying: error)
  }

  /// With these words beside it, a refusal is about the refresh token itself; others name what a resource wants.
  private static let suberrorsOfGrant: Set = ["bad_token", "token_expired", "user_password_expired"]
}

extension TokenSet {
  /// The access token that a session has for a resource; `nil` when it has none yet. `SessionManager.session(for:)` gets one.
  public init?(_ session: Session, for resource: OAuthResource) {
    guard let token = session.proof.tokens[resource.tokenName].flatMap(ResourceToken.init) else { return nil }
    self.init(
      accessToken: token.accessToken, tokenType: token.tokenType, scope: token.scope, expiresAt: token.expiresAt,
      clockSkew: session.clockSkew)
    proofKey = session.proof.tokens[Name.proofKey]
  }
}
