internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

/// What clients and APIs ask besides tokens.
extension ProviderState {
  /// Takes an authorization request beforehand (RFC 9126 §2).
  mutating func push(_ request: ProviderRequest, _ now: Date) throws(ProviderRefusal) -> TransportResponse {
    guard request.form.repeated == nil else { throw ProviderRefusal("invalid_request", "A parameter is there twice.") }
    let client = try authenticated(request, now)
    let proof = try proof(request, .pushedAuthorization, at: now)
    guard request.form["request_uri"] == nil else {
      throw ProviderRefusal("invalid_request", "A pushed request has no request_uri (RFC 9126 §2.1).")
    }
    _ = try redirectURI(request.form, client)
    try check(request.form, client)
    var pairs = request.form.pairs.filter { $0.name != "client_secret" && !$0.name.hasPrefix("client_assertion") }
    if let proof {
      guard request.form["dpop_jkt"].map({ $0 == proof.thumbprint }) ?? true else {
        throw Self.badProof("The proof is of another key than dpop_jkt (RFC 9449 §10.1).", .pushedAuthorization)
      }
      if request.form["dpop_jkt"] == nil { pairs.append((name: "dpop_jkt", value: proof.thumbprint)) }
    }
    let address = "urn:ietf:params:oauth:request_uri:" + name("request")
    let lifetime = isWrong(.expiredRequestURI, .pushedAuthorization) ? -1 : settings.requestURILifetime.seconds
    pushed[address] = PushedRequest(
      client: client.id, form: ProviderForm(pairs), endsAt: now.addingTimeInterval(lifetime))
    return .json(
      [
        "request_uri": .string(address), "expires_in": .integer(Int64(settings.requestURILifetime.seconds)),
      ], status: isWrong(.okToPushedRequest, .pushedAuthorization) ? .ok : .created,
      headerFields: [.cacheControl: "no-store"])
  }

  /// Gives a device its codes (RFC 8628 §3.2).
  mutating func authorizeDevice(_ request: ProviderRequest, _ now: Date) throws(ProviderRefusal) -> TransportResponse {
    let client = try authenticated(request, now)
    let resources = request.form.all("resource")
    guard Set(resources).isSubset(of: settings.resources) else {
      throw ProviderRefusal("invalid_target", "The resource is not known.")
    }
    let code = name("device")
    let userCode = "USER-\(devices.count + 1)-\(code.suffix(4).uppercased())"
    let interval = settings.deviceInterval.seconds
    devices[code] = DeviceCode(
      client: client.id, userCode: userCode, scope: request.form["scope"], resources: resources,
      endsAt: now.addingTimeInterval(settings.deviceCodeLifetime.seconds), interval: interval,
      askedAt: now.addingTimeInterval(-interval))
    let page = settings.issuer + "/enter"
    return .json([
      "device_code": .string(code), "user_code": .string(userCode), "verification_uri": .string(page),
      "verification_uri_complete": .string(page + "?user_code=" + userCode),
      "expires_in": .integer(Int64(settings.deviceCodeLifetime.seconds)), "interval": .integer(Int64(interval)),
    ])
  }

  /// Ends a token (RFC 7009 §2): of a refresh token, its sign-in.
  mutating func revoke(_ request: ProviderRequest, _ now: Date) throws(ProviderRefusal) -> TransportResponse {
    let client = try authenticated(request, now)
    guard let token = request.form["token"] else { throw ProviderRefusal("invalid_request", "The token is missing.") }
    if let grant = refreshTokens[token]?.grant, grants[grant]?.client == client.id {
      end(grant)
    } else if let grant = accessTokens[token]?.grant, grants[grant]?.client == client.id {
      accessTokens[token] = nil
    }
    return .status(.ok)
  }

  /// Tells of a token (RFC 7662 §2.2).
  mutating func introspect(_ request: ProviderRequest, _ now: Date) throws(ProviderRefusal) -> TransportResponse {
    _ = try authenticated(request, now)
    guard let token = request.form["token"] else { throw ProviderRefusal("invalid_request", "The token is missing.") }
    if let issued = refreshTokens[token], !issued.isOver, issued.usedAt == nil, let grant = grants[issued.grant] {
      return .json(["active": true, "client_id": .string(grant.client), "sub": .string(grant.user?.id ?? grant.client)])
    }
    guard let access = good(token, now), let grant = grants[access.grant] else { return .json(["active": false]) }
    var answer: [String: JSONValue] = [
      "active": true, "client_id": .string(grant.client), "sub": .string(grant.user?.id ?? grant.client),
      "token_type": access.thumbprint == nil ? "Bearer" : "DPoP", "iss": .string(settings.issuer),
      "acr": .string(grant.strength), "auth_time": .integer(Int64(grant.signedInAt.timeIntervalSince1970)),
    ]
    answer["scope"] = access.scope.map(JSONValue.string)
    answer["exp"] = access.endsAt.map { .integer(Int64($0.timeIntervalSince1970)) }
    answer["cnf"] = access.thumbprint.map { .object(["jkt": .string($0)]) }
    answer["act"] = access.actor.map { .object(["sub": .string($0)]) }
    if !access.resources.isEmpty { answer["aud"] = .array(access.resources.map(JSONValue.string)) }
    return .json(answer)
  }

  /// Tells whose token it is (OpenID Connect Core §5.3).
  mutating func userInfo(_ request: ProviderRequest, _ now: Date) throws(ProviderRefusal) -> TransportResponse {
    let (access, grant) = try presented(request, .userInfo, nil, now)
    guard let user = grant.user else {
      throw ProviderRefusal.ofAccess("insufficient_scope", "The token is no user's.")
    }
    noteUse(access)
    let isOther = isWrong(.userInfoOfAnotherUser, .userInfo) || isWrong(.changedSubject, .userInfo)
    let claims: [String: JSONValue] = [
      "sub": .string(isOther ? "another-user" : user.id), "name": .string(user.name),
    ]
    guard settings.signsUserInfo, let text = signedUserInfo(claims, grant.client) else { return .json(claims) }
    let head = HTTPResponse(status: .ok, headerFields: [.contentType: "application/jwt"])
    return TransportResponse(head, body: Data(text.utf8))
  }
}
