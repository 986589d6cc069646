internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// The pages on which a user signs in and out.
extension ProviderState {
  /// Where a browser is sent that visits a page.
  mutating func visit(_ page: URL, _ now: Date) throws(ProviderRefusal) -> String {
    let request = ProviderRequest(visiting: page)
    guard let endpoint = addresses.endpoint(at: request.address)?.endpoint, !ProviderEndpoint.asked.contains(endpoint)
    else { throw ProviderRefusal("invalid_request", "There is no page at this address.", status: .notFound) }
    counts.requests[endpoint, default: 0] += 1
    defer { countFault(at: endpoint) }
    return try self.page(request, now)
  }

  /// Where a page sends the browser: the user does what ``ProviderState/user`` says.
  /// - Throws: ``ProviderRefusal`` for a page that shows an error, and sends the browser nowhere.
  mutating func page(_ request: ProviderRequest, _ now: Date) throws(ProviderRefusal) -> String {
    let form = request.method == "POST" ? request.form : request.query
    if request.address == addresses.address(.endSession) { return try endSession(form) }
    return try authorize(form, now)
  }

  // MARK: Signing in

  private mutating func authorize(_ shown: ProviderForm, _ now: Date) throws(ProviderRefusal) -> String {
    guard shown.repeated == nil else { throw ProviderRefusal("invalid_request", "A parameter is there twice.") }
    guard let client = shown["client_id"].flatMap({ client($0) }) else {
      throw ProviderRefusal("invalid_request", "The client is not known.")
    }
    let form = try requested(shown, client, now)
    let redirectURI = try redirectURI(form, client)
    do throws(ProviderRefusal) {
      if settings.requiresPushedRequests, shown["request_uri"] == nil {
        throw ProviderRefusal("invalid_request", "Requests have to be pushed (RFC 9126 §5).")
      }
      let code = try issueCode(form, client, redirectURI, now)
      return callback(form, redirectURI, [("code", code)])
    } catch {
      return callback(form, redirectURI, [("error", error.code), ("error_description", error.words)])
    }
  }

  /// The request that was pushed, if one was (RFC 9126 §4).
  private mutating func requested(
    _ shown: ProviderForm, _ client: ProviderClient, _ now: Date
  ) throws(ProviderRefusal) -> ProviderForm {
    guard let address = shown["request_uri"] else { return shown }
    guard let pushed = pushed.removeValue(forKey: address), pushed.client == client.id, now < pushed.endsAt else {
      throw ProviderRefusal("invalid_request_uri", "The pushed request is not known, was used, or has expired.")
    }
    return pushed.form
  }

  func redirectURI(_ form: ProviderForm, _ client: ProviderClient) throws(ProviderRefusal) -> String {
    guard let address = form["redirect_uri"], let url = URL(string: address), url.scheme != nil else {
      throw ProviderRefusal("invalid_request", "The redirect URI is missing or none.")
    }
    guard client.redirectURIs.isEmpty || client.redirectURIs.contains(where: { Self.matches(address, $0) }) else {
      throw ProviderRefusal("invalid_request", "The redirect URI is not registered.")
    }
    return address
  }

  /// Of loopback addresses the port is free (RFC 8252 §7.3).
  private static func matches(_ address: String, _ registered: String) -> Bool {
    if address == registered { return true }
    guard var parts = URLComponents(string: address), parts.scheme == "http",
      ["127.0.0.1", "[::1]", "::1", "localhost"].contains(parts.host)
    else { return false }
    parts.port = nil
    return parts.string == registered
  }

  /// Whether the request may be shown to a user.
  func check(_ form: ProviderForm, _ client: ProviderClient) throws(ProviderRefusal) {
    guard form["response_type"] == "code" else {
      throw ProviderRefusal("unsupported_response_type", "Only codes are given.")
    }
    guard form["code_challenge_method"] == "S256", form["code_challenge"]?.utf8.count == 43 else {
      throw ProviderRefusal("invalid_request", "A code challenge (S256) is needed.")
    }
    guard Set(form.all("resource")).isSubset(of: settings.resources) else {
      throw ProviderRefusal("invalid_target", "The resource is not known.")
    }
  }

  private mutating func issueCode(
    _ form: ProviderForm, _ client: ProviderClient, _ redirectURI: String, _ now: Date
  ) throws(ProviderRefusal) -> String {
    try check(form, client)
    let prompt = form["prompt"]?.split(separator: " ") ?? []
    guard let user else {
      throw ProviderRefusal(prompt.contains("none") ? "login_required" : "access_denied", "The user said no.")
    }
    let longestAgo = form["max_age"].flatMap { TimeInterval($0) }
    var since = signedIn[user.id] ?? now
    if prompt.contains("login") || longestAgo.map({ now.timeIntervalSince(since) > $0 }) == true {
      guard !prompt.contains("none") else { throw ProviderRefusal("login_required", "The user has to sign in.") }
      since = now
    }
    signedIn[user.id] = since
    let grant = ProviderGrant(
      id: grantNumber(), client: client.id, user: user, scope: form["scope"], resources: form.all("resource"),
      nonce: form["nonce"], signedInAt: since,
      strength: form["acr_values"]?.split(separator: " ").first.map(String.init) ?? settings.usualStrength)
    let code = name("code")
    codes[code] = IssuedCode(
      grant: grant, redirectURI: redirectURI, challenge: form["code_challenge"] ?? "", thumbprint: form["dpop_jkt"],
      endsAt: now.addingTimeInterval(settings.codeLifetime.seconds))
    return code
  }

  private func callback(_ form: ProviderForm, _ redirectURI: String, _ parameters: [(String, String)]) -> String {
    var pairs = parameters.map { (name: $0.0, value: $0.1) }
    if let state = form["state"] {
      pairs.append((name: "state", value: isWrong(.wrongState, .authorization) ? "another-" + state : state))
    }
    if isWrong(.wrongIss, .authorization) {
      pairs.append((name: "iss", value: "https://other.example"))
    } else if settings.namesIssuerInCallbacks, !isWrong(.missingIss, .authorization) {
      pairs.append((name: "iss", value: settings.issuer))
    }
    let mark = form["response_mode"] == "fragment" ? "#" : redirectURI.contains("?") ? "&" : "?"
    return redirectURI + mark + FormEncoding.serialize(pairs)
  }

  // MARK: Signing out

  /// Ends what the user's browser has (OpenID Connect RP-Initiated Logout §2 and §3).
  private mutating func endSession(_ form: ProviderForm) throws(ProviderRefusal) -> String {
    guard let hint = form["id_token_hint"], let claims = ownClaims(hint) else {
      throw ProviderRefusal("invalid_request", "The ID token is missing or none of this provider's.")
    }
    let ended = grants.values.filter { $0.session == claims["sid"]?.string }
    if let user = claims["sub"]?.string { signedIn[user] = nil }
    for grant in ended { end(grant.id) }
    guard let address = form["post_logout_redirect_uri"] else { return addresses.address(.endSession) }
    guard let client = claims["aud"]?.string.flatMap({ client($0) }),
      client.redirectURIs.isEmpty || client.redirectURIs.contains(address)
    else {
      throw ProviderRefusal("invalid_request", "The address for afterwards is not registered.")
    }
    guard let state = form["state"] else { return address }
    let told = isWrong(.wrongState, .endSession) ? "another-" + state : state
    return address + (address.contains("?") ? "&" : "?") + FormEncoding.serialize([(name: "state", value: told)])
  }
}
