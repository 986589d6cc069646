import Foundation
import HTTPTypes
import OstiaryCore

extension AccountRoutes {
  // MARK: Who it is

  /// The browser's session.
  func pageSession(_ request: DoorRequest) async throws(ServerError) -> (user: User, proof: Secret)? {
    for proof in cookies.proofs(in: request) {
      if let user = try await sessions.find(cookies.sessionID(of: proof))?.user { return (user, proof) }
    }
    return nil
  }

  /// The browser's own number: one that this server has given out.
  private func browser(of request: DoorRequest) -> PageBrowser {
    for text in cookies.browsers(in: request) {
      if let id = seal.open("account.browser", text, at: now)?.first { return PageBrowser(id: id, cookie: nil) }
    }
    return PageBrowser(sealedWith: seal, as: "account.browser", at: now, cookie: cookies.setting(browser:))
  }

  private func client(_ request: DoorRequest, _ browser: PageBrowser, _ user: User?) -> FlowClient {
    FlowClient(
      browser: browser.id, user: user, address: request.clientAddress, requestID: request.id,
      device: KnownDevice(request))
  }

  // MARK: Flows

  /// A page for a flow: a new one, or the one that the query names.
  func showPage(_ kind: FlowKind, _ request: DoorRequest) async throws -> DoorResponse {
    guard flows.offers(kind) else { return .failure(.notFound, "This server doesn't offer that.", for: request) }
    let user = try await pageSession(request)?.user
    if kind == .profile, user == nil { return toLogin(then: FlowPaths.page(.profile)) }
    let browser = browser(of: request)
    let client = client(request, browser, user)
    let returnTo = request.query.first("return_to")
    if let text = request.query.first("flow") {
      return browser.introduced(in: page(try await flows.current(kind, text, for: client)))
    }
    if kind == .login, user != nil {
      let target = returnTo.flatMap { ReturnTarget($0, origin: origin, allowed: flows.returnOrigins) }
      return .redirect(to: target?.url ?? FlowPaths.home, status: .seeOther)
    }
    return browser.introduced(in: page(FlowOutcome(try flows.begin(kind, for: client, returnTo: returnTo))))
  }

  /// The form of a flow's page has come back.
  func submitPage(_ kind: FlowKind, _ request: DoorRequest) async throws -> DoorResponse {
    guard flows.offers(kind) else { return .failure(.notFound, "This server doesn't offer that.", for: request) }
    guard try await isGenuine(request) else {
      return .failure(.forbidden, FlowIssue(.requestForged).text, for: request)
    }
    guard let form = request.form else {
      return .failure(.unsupportedMediaType, "Send the page's form as a form.", for: request)
    }
    let session = try await pageSession(request)
    let browser = browser(of: request)
    let client = client(request, browser, session?.user)
    if kind == .profile, session == nil { return toLogin(then: FlowPaths.page(.profile)) }
    let outcome = try await flows.submit(FlowSubmission(form: form), to: kind, for: client)
    if let user = outcome.signedIn { return try await signedIn(user, request, outcome, replacing: session?.proof) }
    if outcome.problem == .flowFinished { return .redirect(to: FlowPaths.page(kind), status: .seeOther) }
    // So that reloading sends nothing again.
    if outcome.problem == nil, outcome.document.step == .code || outcome.document.step == .password {
      return .redirect(to: FlowPaths.page(kind) + "?flow=" + outcome.document.id, status: .seeOther)
    }
    return browser.introduced(in: page(outcome))
  }

  private func page(_ outcome: FlowOutcome) -> DoorResponse {
    var response = DoorResponse.page(pages.page(outcome.document), status: outcome.status)
    response.headers[.contentSecurityPolicy] = Page.contentSecurityPolicy(
      leadingTo: flows.returnOrigins.subtracting([origin]).map(\.description).sorted())
    return outcome.retryAfter.map { response.retrying(after: $0) } ?? response
  }

  private func toLogin(then path: String) -> DoorResponse {
    .redirect(to: FlowPaths.page(.login) + "?return_to=" + path.replacing("/", with: "%2F"), status: .seeOther)
  }

  /// Begins a session under a new id, which replaces whatever the browser came with.
  private func signedIn(
    _ user: User, _ request: DoorRequest, _ outcome: FlowOutcome, replacing old: Secret?
  ) async throws -> DoorResponse {
    let proof = Secret(RandomBytes.make(32).base64URL)
    do {
      _ = try await sessions.begin(for: user, derivedID: cookies.sessionID(of: proof), attributes: [:])
    } catch {
      guard error.code == .userChanged else { throw error }
      return .redirect(to: FlowPaths.page(.login), status: .seeOther)
    }
    if let old { try await sessions.end(cookies.sessionID(of: old), .signedInAgain) }
    return .redirect(to: outcome.returnTo ?? FlowPaths.home, status: .seeOther).settingCookie(
      cookies.setting(session: proof)
    ).settingCookie(flows.identity.deviceCookie(for: user, request, isSecure: origin.isSecure))
  }

  // MARK: Home

  func home(_ request: DoorRequest) async throws -> DoorResponse {
    guard let session = try await pageSession(request) else {
      return .page(pages.nobody(offersSignUp: flows.offers(.signup)))
    }
    return .page(pages.home(session.user, logoutToken: logoutToken(session.proof)))
  }

  private func logoutToken(_ proof: Secret) -> String {
    seal.seal(
      "account.logout", [cookies.mark(of: proof)],
      until: now.addingTimeInterval(flows.configuration.sessionLimits.absolute.timeInterval))
  }

  /// Ends the browser's session, when the browser's own page asks for it.
  func signOut(_ request: DoorRequest) async throws -> DoorResponse {
    guard let session = try await pageSession(request) else {
      guard try await isGenuine(request) else { return .page(pages.expired, status: .forbidden) }
      return leaving(.page(pages.signedOut))
    }
    let id = cookies.sessionID(of: session.proof)
    let token = request.form?.first("token").flatMap { seal.open("account.logout", $0, at: now) }
    guard try await isGenuine(request, token == [cookies.mark(of: session.proof)]) else {
      return .page(pages.expired, status: .forbidden)
    }
    try await sessions.end(id)
    return leaving(.page(pages.signedOut))
  }

  private func leaving(_ response: DoorResponse) -> DoorResponse {
    var response = response.settingCookie(cookies.deletingSession)
    response.headers["Clear-Site-Data"] = "\"cache\", \"storage\""
    return response
  }
}
