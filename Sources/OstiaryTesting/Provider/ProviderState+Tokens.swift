internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

/// The token endpoint.
extension ProviderState {
  mutating func token(_ request: ProviderRequest, _ now: Date) throws(ProviderRefusal) -> TransportResponse {
    let form = request.form
    guard form.repeated == nil else { throw ProviderRefusal("invalid_request", "A parameter is there twice.") }
    let client = try authenticated(request, now)
    var thumbprint = try proof(request, .token, at: now)?.thumbprint
    if settings.requiresProofs, thumbprint == nil { throw Self.badProof("A proof is needed.", .token) }
    if isWrong(.bearerInAnswerToProof) { thumbprint = nil }
    var answer: [String: JSONValue]
    switch form["grant_type"] {
    case "authorization_code": answer = try exchangeCode(form, client, thumbprint, now)
    case "refresh_token": answer = try renew(form, client, thumbprint, now)
    case "client_credentials":
      guard client.secret != nil || client.key != nil else {
        throw ProviderRefusal("unauthorized_client", "A client without a secret or key can't act for itself.")
      }
      let grant = ProviderGrant(
        id: grantNumber(), client: client.id, user: nil, scope: form["scope"], signedInAt: now, strength: "")
      answer = try issue(grant, form, thumbprint, now, refresh: false)
    case "urn:ietf:params:oauth:grant-type:device_code": answer = try pollDevice(form, client, thumbprint, now)
    case "urn:ietf:params:oauth:grant-type:token-exchange": answer = try exchangeToken(form, thumbprint, now)
    default: throw ProviderRefusal("unsupported_grant_type", "The grant is not known.")
    }
    if isWrong(.noExpiresIn) { answer["expires_in"] = nil }
    if isWrong(.noAccessToken) { answer["access_token"] = nil }
    if isWrong(.unknownTokenType) { answer["token_type"] = "mac" }
    return .json(answer, headerFields: [.cacheControl: "no-store"])
  }

  // MARK: Grants

  private mutating func exchangeCode(
    _ form: ProviderForm, _ client: ProviderClient, _ thumbprint: String?, _ now: Date
  ) throws(ProviderRefusal) -> [String: JSONValue] {
    let refusal = ProviderRefusal("invalid_grant", "The code is not known, was used, or is another client's.")
    let isLax = isWrong(.acceptsEachCode)
    guard let code = form["code"], let issued = codes[code], issued.grant.client == client.id else { throw refusal }
    if let used = usedCodes[code], !isLax {
      // What was given for it may be a thief's (RFC 6749 §4.1.2).
      end(used)
      throw refusal
    }
    usedCodes[code] = issued.grant.id
    let verifier = Data((form["code_verifier"] ?? "").utf8)
    let isRight =
      form["redirect_uri"] == issued.redirectURI
      && StrictBase64URL.encode([UInt8](SHA256.hash(data: verifier))) == issued.challenge
    guard isRight || isLax else {
      throw ProviderRefusal("invalid_grant", "The code verifier or the redirect URI is another.")
    }
    guard now < issued.endsAt else { throw refusal }
    guard issued.thumbprint.map({ $0 == thumbprint }) ?? true || isWrong(.bearerInAnswerToProof) else {
      throw ProviderRefusal("invalid_grant", "The code is bound to another key (RFC 9449 §10).")
    }
    var grant = issued.grant
    // The refresh token of a client that proves itself otherwise needs no key (RFC 9449 §5).
    if client.secret == nil, client.key == nil { grant.thumbprint = thumbprint }
    counts.signIns += 1
    return try issue(grant, form, thumbprint, now, refresh: settings.givesRefreshTokens)
  }

  mutating func pollDevice(
    _ form: ProviderForm, _ client: ProviderClient, _ thumbprint: String?, _ now: Date
  ) throws(ProviderRefusal) -> [String: JSONValue] {
    guard let code = form["device_code"], var device = devices[code], device.client == client.id else {
      throw ProviderRefusal("invalid_grant", "The device code is not known.")
    }
    guard now < device.endsAt else { throw ProviderRefusal("expired_token", "The device code has expired.") }
    let wait = now.timeIntervalSince(device.askedAt)
    device.askedAt = now
    if wait < device.interval {
      device.interval += 5
      devices[code] = device
      throw ProviderRefusal("slow_down", "The device asks too often.")
    }
    devices[code] = device
    switch device.answer {
    case .pending: throw ProviderRefusal("authorization_pending", "The user has not entered the code yet.")
    case .declined: throw ProviderRefusal("access_denied", "The user said no.")
    case .accepted(let user):
      devices[code] = nil
      var grant = ProviderGrant(
        id: grantNumber(), client: client.id, user: user, scope: device.scope, resources: device.resources,
        signedInAt: now, strength: settings.usualStrength)
      if client.secret == nil, client.key == nil { grant.thumbprint = thumbprint }
      counts.signIns += 1
      return try issue(grant, form, thumbprint, now, refresh: settings.givesRefreshTokens)
    }
  }

  /// One token for another (RFC 8693): with an actor's token the actor acts for the user, without one it is the user to the
  /// API.
  private mutating func exchangeToken(
    _ form: ProviderForm, _ thumbprint: String?, _ now: Date
  ) throws(ProviderRefusal) -> [String: JSONValue] {
    let kind = "urn:ietf:params:oauth:token-type:access_token"
    guard form["subject_token_type"] == kind, let text = form["subject_token"], let subject = good(text, now),
      let grant = grants[subject.grant]
    else { throw ProviderRefusal("invalid_request", "The subject's token is not good.") }
    var actor: String?
    if let text = form["actor_token"] {
      guard form["actor_token_type"] == kind, let token = good(text, now), let acting = grants[token.grant] else {
        throw ProviderRefusal("invalid_request", "The actor's token is not good.")
      }
      actor = acting.user?.id ?? acting.client
    }
    var answer = try issue(grant, form, thumbprint, now, refresh: false)
    if let access = answer["access_token"]?.string { accessTokens[access]?.actor = actor }
    answer["issued_token_type"] = .string(kind)
    answer["id_token"] = nil
    return answer
  }

  // MARK: Issuing

  /// Gives tokens for a grant.
  mutating func issue(
    _ grant: ProviderGrant, _ form: ProviderForm, _ thumbprint: String?, _ now: Date, refresh: Bool,
    isRenewal: Bool = false
  ) throws(ProviderRefusal) -> [String: JSONValue] {
    let asked = form.all("resource")
    guard Set(asked).isSubset(of: grant.resources.isEmpty ? settings.resources : grant.resources) else {
      throw ProviderRefusal("invalid_target", "The resource is not known, or was not granted.")
    }
    let scope = isRenewal ? form["scope"] ?? grant.scope : grant.scope
    let words = Set((grant.scope ?? "").split(separator: " "))
    guard !isRenewal || Set((scope ?? "").split(separator: " ")).isSubset(of: words) else {
      throw ProviderRefusal("invalid_scope", "That is more than was granted.")
    }
    grants[grant.id] = grant
    let access = name("access")
    accessTokens[access] = IssuedAccess(
      grant: grant.id, scope: scope, resources: asked.isEmpty ? grant.resources : asked, thumbprint: thumbprint,
      endsAt: settings.accessTokenLifetime.map { now.addingTimeInterval($0.seconds) })
    var answer: [String: JSONValue] = [
      "access_token": .string(access), "token_type": thumbprint == nil ? "Bearer" : "DPoP",
    ]
    answer["expires_in"] = settings.accessTokenLifetime.map { .integer(Int64($0.seconds)) }
    answer["scope"] = scope.map(JSONValue.string)
    if refresh {
      let token = name("refresh")
      refreshTokens[token] = IssuedRefresh(grant: grant.id)
      answer["refresh_token"] = .string(token)
    }
    if grant.has("openid"), grant.user != nil {
      answer["id_token"] = idToken(grant, access, isRenewal: isRenewal, now).map(JSONValue.string)
    }
    return answer
  }

  /// An access token that is good now.
  func good(_ access: String, _ now: Date) -> IssuedAccess? {
    guard let issued = accessTokens[access], grants[issued.grant] != nil, issued.endsAt.map({ now < $0 }) ?? true else {
      return nil
    }
    return issued
  }

  /// Ends a sign-in: none of its tokens is good any more.
  mutating func end(_ grant: Int) { grants[grant] = nil }
}
