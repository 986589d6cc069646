import Crypto
import Foundation
import HTTPTypes
import OstiaryCore

/// `/services/oauth2/token`
extension SalesforceDoor {
  func token(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    let form = SalesforceForm(request)
    return try await withFailures(form, SalesforceOAuthFormat(request, form)) { format in
      let members =
        form["response_type"] == "device_code"
        ? try await beginDevice(request, form, entry) : try await grant(request, form, entry)
      return try format.response(members)
    }
  }

  /// Turns thrown errors into the vendor's answers.
  func withFailures(
    _ form: SalesforceForm, _ format: SalesforceOAuthFormat,
    _ body: (SalesforceOAuthFormat) async throws -> DoorResponse
  ) async throws -> DoorResponse {
    do {
      try form.demandSingleParameters()
      return try await body(format)
    } catch let failure as SalesforceOAuthFailure {
      return try failure.response(format)
    } catch let error as ServerError where error.isStorageFault || error.retryAfter != nil {
      log(error)
      return try SalesforceOAuthFailure.unavailable(error.retryAfter ?? .seconds(5)).response(format)
    }
  }

  private func grant(
    _ request: DoorRequest, _ form: SalesforceForm, _ entry: SalesforceEntry
  ) async throws -> [(String, JSONValue)] {
    switch form["grant_type"] {
    case nil: throw SalesforceOAuthFailure.missing("grant_type")
    case "authorization_code", "hybrid_auth_code": return try await redeem(request, form, entry)
    case "refresh_token", "hybrid_refresh": return try await refresh(request, form, entry)
    case "device": return try await pollDevice(request, form, entry)
    case "password" where configuration.insecureFlows.contains(.usernamePassword):
      return try await password(request, form, entry)
    case "urn:ietf:params:oauth:grant-type:jwt-bearer", "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer":
      return try await assertion(request, form, entry)
    default: throw SalesforceOAuthFailure.unsupportedGrant
    }
  }

  private func redeem(
    _ request: DoorRequest, _ form: SalesforceForm, _ entry: SalesforceEntry
  ) async throws -> [(String, JSONValue)] {
    let known = try await authenticatedApp(request, form)
    guard let code = form["code"] else { throw SalesforceOAuthFailure.missing("code") }
    let decision = try await tokens.redeem(
      code: SalesforceTokenText(any: code).token, client: known.client, redirectURI: form["redirect_uri"],
      verifier: form["code_verifier"].map { Secret($0) })
    switch decision {
    case .issued(let issued): return try answer(issued, known.app, entry)
    case .refused(let refusal): throw SalesforceOAuthFailure(code: refusal)
    }
  }

  private func refresh(
    _ request: DoorRequest, _ form: SalesforceForm, _ entry: SalesforceEntry
  ) async throws -> [(String, JSONValue)] {
    let known = try await authenticatedApp(request, form)
    guard let text = form["refresh_token"] else { throw SalesforceOAuthFailure.missing("refresh_token") }
    let token = SalesforceTokenText(any: text).token
    let decision: TokenDecision?
    if configuration.refusesConcurrentRefreshes {
      decision = try await refreshes.alone(with: token, at: now) { () async throws(ServerError) in
        try await tokens.refresh(token, client: known.client)
      }
    } else {
      decision = try await tokens.refresh(token, client: known.client)
    }
    switch decision {
    case .issued(let issued)?: return try answer(issued, known.app, entry)
    case .refused(let refusal)?: throw SalesforceOAuthFailure(refresh: refusal)
    case nil:
      try await noteRefusal(AuditEvent(.grantRefused, .superseded, client: known.client.id))
      throw SalesforceOAuthFailure.alreadyProcessed
    }
  }

  // MARK: Answers

  /// The optional members of an answer.
  enum AnswerStyle: Sendable {
    /// The time and the user, signed.
    case signed
    /// The JWT bearer flow: neither time nor signature.
    case plain
  }

  /// The answer with issued tokens.
  /// - Throws: `SalesforceOAuthFailure` if the user belongs to no org any more.
  func answer(
    _ issued: IssuedTokens, _ app: SalesforceConnectedApp, _ entry: SalesforceEntry, style: AnswerStyle = .signed
  ) throws -> [(String, JSONValue)] {
    guard let user = issued.grant.user, let org = root.org(of: user) else { throw SalesforceOAuthFailure.expiredToken }
    let identity = identityURL(user, org)
    var members: [(String, JSONValue)] = [
      ("access_token", .string(SalesforceTokenText.access(issued.accessToken, org)))
    ]
    if let refresh = issued.refreshToken {
      members.append(("refresh_token", .string(SalesforceTokenText.padded(refresh))))
    }
    if style == .signed {
      let time = String(Int64((issued.issuedAt.timeIntervalSince1970 * 1000).rounded()))
      members.append(("issued_at", .string(time)))
      members.append(("signature", .string(signature(of: identity + time, app))))
    }
    members += [
      ("scope", .string(issued.scopes.joined(separator: " "))), ("instance_url", .string(instanceURL)),
      ("id", .string(identity)), ("token_type", "Bearer"),
    ]
    if let community = community(issued.grant.attributes["community"]?.string, in: org) {
      members += communityMembers(community)
    }
    return members
  }

  /// The address of a community, and its id.
  func communityMembers(_ community: SalesforceCommunity) -> [(String, JSONValue)] {
    [
      ("sfdc_community_url", .string(origin.description + "/" + community.path)),
      ("sfdc_community_id", .string(community.id.long)),
    ]
  }

  private func community(_ path: String?, in org: SalesforceOrg) -> SalesforceCommunity? {
    path.flatMap { path in org.communities.first { $0.path == path } }
  }

  /// HMAC-SHA256 with the consumer secret, in base64.
  private func signature(of text: String, _ app: SalesforceConnectedApp) -> String {
    let key =
      app.consumerSecret.map { SymmetricKey(data: Data($0.reveal().utf8)) } ?? keys.signingKey(of: app.consumerKey)
    return Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).base64EncodedString()
  }

  /// The request for tokens to the token core.
  func grantRequest(
    _ known: KnownApp, user: User?, scopes: [String], entry: SalesforceEntry, includesRefreshToken: Bool
  ) -> GrantRequest {
    GrantRequest(
      client: known.client, user: user, scopes: scopes, includesRefreshToken: includesRefreshToken,
      prefixes: TokenPrefixes(access: "", refresh: SalesforceTokenText.refreshPrefix),
      attributes: entry.community.map { ["community": .string($0.path)] } ?? [:])
  }
}
