import Foundation
import HTTPTypes
import OstiaryCore

/// `/services/oauth2/authorize`, in a browser.
extension SalesforceDoor {
  /// The longest query that is taken.
  private static let mostQueryBytes = 8192

  /// A browser comes with an app's request.
  func authorize(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    try await authorizing(request) { asked in
      let user = try await visitor(of: request, entry)
      let sources = SalesforceAuthorization.source(of: asked.redirectURI)
      guard let user, !asked.prompts.contains("login") else {
        if asked.isSilent { throw failure(Self.immediateUnsuccessful, asked) }
        let place = authorizePlace(request, entry, done: "login")
        return signInPage(request, place, hint: request.query.first("login_hint"), sources: sources)
      }
      if try await isApproved(asked, by: user) { return try await allow(asked, user, entry, status: .found) }
      if asked.isSilent { throw failure(Self.immediateUnsuccessful, asked) }
      let place = authorizePlace(request, entry)
      let browser = browser(of: request)
      let question = SalesforcePages.Question(
        app: asked.known.app.name, user: user.displayName, scopes: asked.scopes, action: place.action("consent"),
        token: pageToken(browser, .consent, user: user, target: place.address),
        otherUser: place.address + "&prompt=login")
      return browser.introduced(in: .page(pages.consent(question), formTargets: sources))
    }
  }

  /// The sign-in page has come back.
  func submitAuthorizeLogin(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    try await authorizing(request) { asked in
      try await submitSignIn(
        request, entry, authorizePlace(request, entry, done: "login"),
        sources: SalesforceAuthorization.source(of: asked.redirectURI))
    }
  }

  /// Somebody has been asked whether an app may come in.
  func submitConsent(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    try await authorizing(request) { asked in
      let place = authorizePlace(request, entry)
      guard let user = try await visitor(of: request, entry),
        try await isGenuine(request, .consent, user: user, target: place.address)
      else { return .redirect(to: place.address, status: .seeOther) }
      let isAllowed = request.form?.first("decision") == "allow"
      try await identity.storage.note(
        AuditEvent(isAllowed ? .consentGiven : .consentRefused, user: user.id, client: asked.known.client.id), at: now)
      guard isAllowed else { throw failure(.denied, asked) }
      return try await allow(asked, user, entry, status: .seeOther)
    }
  }

  // MARK: The request

  private static let immediateUnsuccessful = SalesforceOAuthFailure(
    "immediate_unsuccessful", "the user has to be asked")

  /// Where a request is repeated.
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

  /// Reads an app's request and goes on with it, or says what is wrong: to the app where that is safe, else on a page.
  private func authorizing(
    _ request: DoorRequest, _ body: (SalesforceAuthorization) async throws -> DoorResponse
  ) async throws -> DoorResponse {
    do {
      return try await body(try await authorization(request))
    } catch let failure as SalesforceAuthorizationFailure {
      return .redirect(to: failure.address, status: request.method == .post ? .seeOther : .found)
    } catch let failure as SalesforceOAuthFailure {
      // OA-11: nobody is sent to an address that isn't the app's.
      return .page(pages.invalidRequest(failure), status: failure.status)
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

  /// Whether nobody has to be asked: an administrator has let the app in, or the user has, for at least as much.
  private func isApproved(_ asked: SalesforceAuthorization, by user: User) async throws(ServerError) -> Bool {
    guard !asked.prompts.contains("consent") else { return false }
    guard asked.known.app.permittedUsers == .selfAuthorized else { return true }
    // OA-12: every program on the user's machine can listen on a port and take the name of an app that proves nothing.
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

  /// What the user-agent flow puts into the fragment. As the vendor has it, a refresh token goes to an app's own scheme and
  /// to nobody else.
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
