import Foundation
import HTTPTypes
import OstiaryCore

/// `/services/oauth2/authorize`, in a browser.
extension SalesforceDoor {
  /// The longest query that is accepted.
  private static let mostQueryBytes = 8192

  /// A browser brings an app's request.
  func authorize(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    try await authorizing(request) { asked in
      let user = try await visitor(of: request, entry)
      let sources = SalesforceAuthorization.source(of: asked.redirectURI)
      var state = FrontRoomState(asked.needs)
      var action = state.step(.arrived(user?.strength))
      if case .findConsent = action, let user = user?.user {
        action = state.step(.consentFound(try await isApproved(asked, by: user)))
      }
      switch action {
      case .goOn:
        guard let user = user?.user else { break }
        return try await allow(asked, user, entry, status: .found)
      case .showConsent:
        guard let user = user?.user else { break }
        return consentPage(request, entry, asked, user, sources: sources)
      case .refuse: throw failure(Self.immediateUnsuccessful, asked)
      default: break
      }
      let place = authorizePlace(request, entry, done: "login")
      return signInPage(request, place, hint: request.query.first("login_hint"), sources: sources)
    }
  }

  private func consentPage(
    _ request: DoorRequest, _ entry: SalesforceEntry, _ asked: SalesforceAuthorization, _ user: User, sources: [String]
  ) -> DoorResponse {
    let place = authorizePlace(request, entry)
    let browser = room.browser(of: request)
    let pages = pages(for: request)
    let question = FrontRoomPages.Question(
      app: asked.known.app.name, user: user.displayName,
      scopes: asked.scopes.map { ($0, pages.meaning(of: $0)) }, action: place.action("consent"),
      token: room.token(.consent, browser, user: user, address: place.address),
      otherUser: place.address + "&prompt=login")
    return browser.introduced(in: .page(pages.room.consent(question), formTargets: sources))
  }

  /// Handles the form of the sign-in page.
  func submitAuthorizeLogin(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    try await authorizing(request) { asked in
      try await submitSignIn(
        request, entry, authorizePlace(request, entry, done: "login"),
        sources: SalesforceAuthorization.source(of: asked.redirectURI))
    }
  }

  /// Handles the form of the consent page.
  func submitConsent(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    try await authorizing(request) { asked in
      let place = authorizePlace(request, entry)
      guard let user = try await visitor(of: request, entry)?.user else {
        return .redirect(to: place.address, status: .seeOther)
      }
      var state = FrontRoomState(asked.needs)
      let returned = FrontRoomState.Input.consentReturned(
        isGenuine: try await room.isGenuine(request, .consent, user: user, address: place.address),
        isAllowed: request.form?.first("decision") == "allow")
      func note(_ kind: AuditKind) async throws {
        try await identity.storage.note(AuditEvent(kind, user: user.id, client: asked.known.client.id), at: now)
      }
      switch state.step(returned) {
      case .goOn:
        try await note(.consentGiven)
        return try await allow(asked, user, entry, status: .seeOther)
      case .refuse:
        try await note(.consentRefused)
        throw failure(.denied, asked)
      default: return .redirect(to: place.address, status: .seeOther)
      }
    }
  }

  // MARK: The request

  private static let immediateUnsuccessful = SalesforceOAuthFailure(
    "immediate_unsuccessful", "the user has to be asked")

  /// The address that repeats a request.
  /// - Parameter done: The prompt that will have been shown by then.
  private func authorizePlace(_ request: DoorRequest, _ entry: SalesforceEntry, done: String? = nil) -> Place {
    let pairs = request.query.all.compactMap { field -> String? in
      var value = field.value
      if field.name == "prompt", let done {
        value = value.split(separator: " ").filter { $0 != done }.joined(separator: " ")
        if value.isEmpty { return nil }
      }
      return SalesforceOAuthFormat.encode(field.name) + "=" + SalesforceOAuthFormat.encode(value)
    }
    return Place(path: entry.path + "/services/oauth2/authorize", query: pairs.joined(separator: "&"))
  }

  /// Reads an app's request and continues with it, or reports the problem: to the app if that is safe, otherwise on a page.
  private func authorizing(
    _ request: DoorRequest, _ body: (SalesforceAuthorization) async throws -> DoorResponse
  ) async throws -> DoorResponse {
    do {
      return try await body(try await authorization(request))
    } catch let failure as SalesforceAuthorizationFailure {
      return .redirect(to: failure.address, status: request.method == .post ? .seeOther : .found)
    } catch let failure as SalesforceOAuthFailure {
      // OA-11: a browser is sent only to a registered address of the app.
      return .page(pages(for: request).invalidRequest(failure), status: failure.status)
    }
  }

  private func authorization(_ request: DoorRequest) async throws -> SalesforceAuthorization {
    guard request.target.utf8.count <= Self.mostQueryBytes else {
      throw SalesforceOAuthFailure("invalid_request", "the request is too long")
    }
    let form = SalesforceForm(query: request.query)
    try form.demandSingleParameters()
    guard let key = form["client_id"] else { throw SalesforceOAuthFailure.missing("client_id") }
    let known = try await knownApp(key)
    guard let redirectURI = form["redirect_uri"] else { throw SalesforceOAuthFailure.missing("redirect_uri") }
    guard known.app.accepts(redirectURI) else { throw SalesforceOAuthFailure.redirectMismatch }
    let allowsTokens = configuration.insecureFlows.contains(.userAgent)
    let response: SalesforceAuthorization.Response? =
      switch form["response_type"] {
      case "code": .code
      case "token", "hybrid_token": allowsTokens ? .token : nil
      default: nil
      }
    do {
      guard let response else { throw SalesforceOAuthFailure.unsupportedResponse }
      let challenge = try challenge(form)
      if response == .code, known.app.requiresCodeChallenge, challenge == nil {
        throw SalesforceOAuthFailure(code: .codeChallengeMissing)
      }
      let prompts = Set(form["prompt"]?.split(separator: " ").map(String.init) ?? [])
      return SalesforceAuthorization(
        known: known, redirectURI: redirectURI, response: response, scopes: try scopes(form["scope"], of: known.app),
        state: form["state"], challenge: challenge, prompts: prompts,
        isSilent: form["immediate"] == "true" || prompts == ["none"])
    } catch let failure as SalesforceOAuthFailure {
      throw SalesforceAuthorizationFailure(
        failure: failure, redirectURI: redirectURI, state: form["state"],
        isFragment: form["response_type"]?.contains("token") == true)
    }
  }

  private func failure(
    _ failure: SalesforceOAuthFailure, _ asked: SalesforceAuthorization
  ) -> SalesforceAuthorizationFailure {
    SalesforceAuthorizationFailure(
      failure: failure, redirectURI: asked.redirectURI, state: asked.state, isFragment: asked.response == .token)
  }

  // MARK: The decision

  /// Whether no consent is needed: an administrator has approved the app, or the user has, for at least these scopes.
  private func isApproved(_ asked: SalesforceAuthorization, by user: User) async throws(ServerError) -> Bool {
    guard !asked.prompts.contains("consent") else { return false }
    guard asked.known.app.permittedUsers == .selfAuthorized else { return true }
    // OA-12: every program on the user's machine can listen on a port and use the name of an app that has no secret.
    guard !asked.known.isPublic || !SalesforceConnectedApp.isLoopback(asked.redirectURI) else { return false }
    let scopes = Set(asked.scopes)
    return try await tokens.grants(userID: user.id).contains {
      $0.clientID == asked.known.client.id && scopes.isSubset(of: $0.scopes)
    }
  }

  private func allow(
    _ asked: SalesforceAuthorization, _ user: User, _ entry: SalesforceEntry, status: HTTPResponse.Status
  ) async throws -> DoorResponse {
    var parameters: [(String, String)] = []
    do {
      switch asked.response {
      case .code:
        let code = try await issueCode(
          asked.known, user: user, scopes: asked.scopes, redirectURI: asked.redirectURI, challenge: asked.challenge,
          entry: entry)
        parameters.append(("code", code))
        for (name, value) in entry.community.map(communityMembers) ?? [] {
          parameters.append((name, value.string ?? ""))
        }
      case .token: parameters = try await tokenParameters(asked, user, entry)
      }
    } catch let problem as SalesforceOAuthFailure {
      throw failure(problem, asked)
    }
    if let state = asked.state { parameters.append(("state", state)) }
    let address = SalesforceAuthorization.address(
      asked.redirectURI, parameters, isFragment: asked.response == .token)
    return .redirect(to: address, status: status)
  }

  /// The parameters of the user-agent flow's fragment. As with the vendor, only an app with a scheme of its own gets a
  /// refresh token.
  private func tokenParameters(
    _ asked: SalesforceAuthorization, _ user: User, _ entry: SalesforceEntry
  ) async throws -> [(String, String)] {
    let isOwnScheme = !["http", "https"].contains(URL(string: asked.redirectURI)?.scheme?.lowercased() ?? "")
    let wantsRefreshToken = !Self.refreshScopes.isDisjoint(with: asked.scopes)
    let decision = try await tokens.issue(
      grantRequest(
        asked.known, user: user, scopes: asked.scopes, entry: entry,
        includesRefreshToken: wantsRefreshToken && isOwnScheme))
    switch decision {
    case .issued(let issued):
      return try answer(issued, asked.known.app, entry).map { ($0.0, $0.1.string ?? "") }
    case .refused(let refusal): throw SalesforceOAuthFailure(code: refusal)
    }
  }
}
