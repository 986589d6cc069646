import Foundation
import HTTPTypes
import OstiaryCore

extension AccountRoutes {
  private func client(_ request: DoorRequest, _ browser: PageBrowser, _ user: User?) -> FlowClient {
    FlowClient(
      browser: browser.id, user: user, address: request.clientAddress, requestID: request.id,
      languages: request.languages, device: KnownDevice(request),
      sessions: FlowSessions(sessions: room.sessions) { [cookies = room.cookies] in cookies.sessionID(of: $0) })
  }

  // MARK: Flows

  /// The page of a flow: a new one, or the one that the query names.
  func showPage(_ kind: FlowKind, _ request: DoorRequest) async throws -> DoorResponse {
    guard flows.offers(kind) else { return .failure(.notFound, FlowIssue(.flowDisabled), for: request) }
    let visitor = try await room.visitor(of: request)
    let user = visitor?.user
    // The settings need a sign-in; the sign-in page needs that there is none.
    var state = FrontRoomState()
    let hasSignedIn = state.step(.arrived(visitor?.strength)) == .goOn
    if kind == .profile, !hasSignedIn { return toLogin(then: FlowPaths.page(.profile)) }
    let browser = room.browser(of: request)
    let client = client(request, browser, user)
    let returnTo = request.query.first("return_to")
    let text = request.query.first("flow")
    if kind == .login, hasSignedIn, text == nil {
      let target = returnTo.flatMap { ReturnTarget($0, origin: origin, allowed: flows.returnOrigins) }
      return .redirect(to: target?.url ?? FlowPaths.home, status: .seeOther)
    }
    if let account = document(for: kind), let page = try await showExperience(kind, account, request, client) {
      return browser.introduced(in: page)
    }
    if let text {
      return browser.introduced(in: page(try await flows.current(kind, text, for: client), hasSession: hasSignedIn))
    }
    var document = try flows.begin(kind, for: client, returnTo: returnTo)
    guard kind == .profile, let visitor else {
      return browser.introduced(in: page(FlowOutcome(document), hasSession: hasSignedIn))
    }
    if let told = news.read(request, for: visitor.proof, at: room.now) { document.issues.append(told) }
    return once(request, browser.introduced(in: page(FlowOutcome(document), hasSession: hasSignedIn)))
  }

  /// Handles the form of a flow's page.
  func submitPage(_ kind: FlowKind, _ request: DoorRequest) async throws -> DoorResponse {
    guard flows.offers(kind) else { return .failure(.notFound, FlowIssue(.flowDisabled), for: request) }
    guard !(try await room.isForged(request)) else {
      return .failure(.forbidden, FlowIssue(.requestForged), for: request)
    }
    guard let form = request.form else {
      return .failure(.unsupportedMediaType, .formExpected, for: request)
    }
    let session = try await room.visitor(of: request)
    let browser = room.browser(of: request)
    let client = client(request, browser, session?.user)
    if let response = try await submitExperience(kind, form, request, client) {
      return browser.introduced(in: response)
    }
    let submission = FlowSubmission(form: form)
    let outcome: FlowOutcome
    if kind == .profile, session == nil {
      // A new password has ended the session that it was sent with.
      guard let repeated = try await flows.repeated(submission, to: kind, for: client) else {
        return toLogin(then: FlowPaths.page(.profile))
      }
      outcome = repeated
    } else {
      outcome = try await flows.submit(submission, to: kind, for: client)
    }
    if let begun = outcome.session {
      let issue = outcome.document.issues.first(where: \.isInformation)
      return try await signedIn(begun, request, returnTo: outcome.returnTo, telling: issue)
    }
    // A redirect: reloading the page must not send the form again.
    if outcome.problem == nil, outcome.document.step == .code || outcome.document.step == .password {
      return .redirect(to: FlowPaths.page(kind, flow: outcome.document.id), status: .seeOther)
    }
    return browser.introduced(in: page(outcome, hasSession: session != nil))
  }

  private func page(_ outcome: FlowOutcome, hasSession: Bool) -> DoorResponse {
    var document = outcome.document
    // The end says what it was, or at least that it is one.
    if document.step == .done, document.allIssues.isEmpty { document.issues.append(FlowIssue(.flowFinished)) }
    var response = DoorResponse.page(
      pages.page(document, next: hasSession ? FlowPaths.home : nil), status: outcome.status)
    response.headers[.contentLanguage] = document.language
    response.headers[.contentSecurityPolicy] = Page.contentSecurityPolicy(
      leadingTo: flows.returnOrigins.subtracting([origin]).map(\.description).sorted())
    return outcome.retryAfter.map { response.retrying(after: $0) } ?? response
  }

  private func toLogin(then path: String) -> DoorResponse {
    .redirect(to: FlowPaths.page(.login) + "?return_to=" + path.replacing("/", with: "%2F"), status: .seeOther)
  }

  /// Gives the browser its new session, in place of those that it presented.
  /// - Parameter issue: What the next page says, if it is the server's own.
  func signedIn(
    _ begun: FlowSession, _ request: DoorRequest, returnTo: String?, telling issue: FlowIssue?
  ) async throws -> DoorResponse {
    let before = try await room.visitor(of: request)?.user.id
    try await room.endSessions(of: request, except: begun.proof, .signedInAgain)
    var response = DoorResponse.redirect(to: returnTo ?? FlowPaths.home, status: .seeOther)
      .settingCookie(room.cookies.setting(session: begun.proof))
      .settingCookie(flows.identity.deviceCookie(for: begun.user, request, isSecure: origin.isSecure))
    // The first of two clicks has ended the session, and the browser has dropped its answer: whose it was is not known.
    let isUnknown = begun.mayHaveReplaced && before == nil && !room.cookies.proofs(in: request).isEmpty
    // Pages of the user who was signed in are no pages of this one.
    let isAnother = before.map { $0 != begun.user.id } ?? isUnknown
    if isAnother { response = room.newBrowser().introduced(in: response) }
    // Another destination does not read it.
    let readers = [FlowPaths.home, FlowPaths.page(.profile)].map { "\(origin)\($0)" }
    guard returnTo.map(readers.contains) ?? true, let issue else { return response }
    return response.settingCookie(news.setting(issue.code, for: begun.proof, at: room.now))
  }

  /// The answer that has told the news of a request's cookie, if there was any.
  private func once(_ request: DoorRequest, _ response: DoorResponse) -> DoorResponse {
    news.isIn(request) ? response.settingCookie(news.deletion) : response
  }

  // MARK: Home

  func home(_ request: DoorRequest) async throws -> DoorResponse {
    let texts = AccountTexts(request)
    guard let session = try await room.visitor(of: request) else {
      return .page(pages.nobody(offersSignUp: flows.offers(.signup), in: texts))
    }
    let lifetime = flows.configuration.sessionLimits.absolute.timeInterval
    let told = news.read(request, for: session.proof, at: room.now)
    let response = DoorResponse.page(
      pages.home(
        session.user, logoutToken: room.signOutToken(session.proof, lifetime: lifetime), news: told, in: texts))
    return once(request, response)
  }

  /// Ends the browser's session, if the form belongs to the browser's own page.
  func signOut(_ request: DoorRequest) async throws -> DoorResponse {
    let texts = AccountTexts(request)
    let session = try await room.visitor(of: request)
    guard !(try await room.isForged(request)) else { return .page(pages.expired(in: texts), status: .forbidden) }
    if let session {
      guard try await room.isSignOutToken(request.form?.first("token"), for: session.proof) else {
        return .page(pages.expired(in: texts), status: .forbidden)
      }
      try await room.sessions.end(room.cookies.sessionID(of: session.proof))
    }
    return leaving(.page(pages.signedOut(in: texts)))
  }

  /// The browser is the next person's: what the last one has typed into pages that are open still is shown to no other.
  private func leaving(_ response: DoorResponse) -> DoorResponse {
    var response = room.newBrowser().introduced(in: response.settingCookie(room.cookies.deletingSession))
    response.headers["Clear-Site-Data"] = "\"cache\", \"storage\""
    return response
  }
}

extension AccountTexts {
  /// The texts for the reader who sent a request.
  init(_ request: DoorRequest) { self.init(Self.language(for: request.languages)) }
}

extension DoorResponse {
  /// A generic error with the text of a code.
  fileprivate static func failure(
    _ status: HTTPResponse.Status, _ issue: FlowIssue, for request: DoorRequest
  ) -> DoorResponse {
    guard !request.prefersJSON else { return failure(status, for: request) { issue.text(in: $0.account) } }
    let texts = AccountTexts(request)
    let content: HTML = "<p class=\"quiet\">\(request.id)</p>"
    return .page(Page(title: issue.text(in: texts), in: texts, content: content), status: status)
  }
}
