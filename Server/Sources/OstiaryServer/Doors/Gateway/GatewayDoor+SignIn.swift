import Foundation
import HTTPTypes
import OstiaryCore

extension GatewayDoor {
  private static let failed = "0x132120c8"
  private static let locked = "0x13212132"

  // MARK: The page

  /// The login page. Whoever is signed in already needs none.
  func loginPage(_ request: DoorRequest) async throws -> DoorResponse {
    var destination = destination(sealed: request.query.first("target") ?? request.cookies(named: cookies.target).first)
    if destination.target == nil {
      let named = request.query.first("rd") ?? (configuration.style == .webSEAL ? request.query.first("URL") : nil)
      destination = Destination(target: named.flatMap { ReturnTarget($0, origin: origin, allowed: origins) })
    }
    if configuration.style == .ostiary, case .user = try await visitor(of: request) {
      return success(destination)
    }
    let browser = browser(of: request)
    switch request.query.first("TAM_OP") {
    case "acct_locked"?: return .page(pages.locked)
    case "logout"?: return .page(pages.signedOut)
    case "login_success"?: return .page(pages.signedIn(name: nil))
    case "error"?: return loginForm(request, destination, browser, notice: .failed)
    default: return loginForm(request, destination, browser, notice: .none)
    }
  }

  /// The page with the form, which is good once and for this browser alone.
  func loginForm(
    _ request: DoorRequest, _ destination: Destination, _ browser: PageBrowser, notice: GatewayPages.Notice
  ) -> DoorResponse {
    var action = names.loginForm
    if configuration.usesRelativeFormAction {
      let segments = request.path.byteParts(at: "/").dropFirst()
      action = String(repeating: "../", count: max(0, segments.count - 1)) + action.droppingBytes(1)
    }
    let token = demandsToken ? formToken(browser) : nil
    if configuration.style == .webSEAL { action += "?token=" + (token ?? "Unknown") }
    let form = GatewayPages.Form(action: action, token: token, target: sealed(destination), notice: notice)
    let response = DoorResponse.page(pages.login(form))
    return demandsToken ? browser.introduced(in: response) : response
  }

  var demandsToken: Bool { configuration.style == .ostiary || configuration.validatesSecretToken }

  private func formToken(_ browser: PageBrowser) -> String {
    parts.seal.seal(
      "form", [browser.id, RandomBytes.make(16).base64URL], until: now.addingTimeInterval(Self.pageLifetime))
  }

  /// Whether a form came from a page that this browser was shown, for the first time.
  func isGenuine(_ request: DoorRequest, _ form: FormFields) -> Bool {
    guard demandsToken else { return true }
    let token = (configuration.style == .webSEAL ? request.query.first("token") : nil) ?? form.first("token")
    guard let browser = knownBrowser(of: request), let fields = token.flatMap({ parts.seal.open("form", $0, at: now) }),
      fields.count == 2, fields[0] == browser
    else { return false }
    return parts.used.take(fields[1], until: now.addingTimeInterval(Self.pageLifetime), now: now)
  }

  // MARK: The form

  /// The form has come back.
  func submitLogin(_ request: DoorRequest) async throws -> DoorResponse {
    guard let form = request.form else {
      return .failure(.unsupportedMediaType, "Send the login form as a form.", for: request)
    }
    let destination = destination(sealed: form.first("target") ?? request.cookies(named: cookies.target).first)
    let browser = browser(of: request)
    guard !isForged(request), isGenuine(request, form) else {
      try await noteForged()
      if configuration.style == .ostiary {
        var response = loginForm(request, destination, browser, notice: .expired)
        response.status = .forbidden
        return response
      }
      return .failure(isForged(request) ? .forbidden : .badRequest, "The request is not valid.", for: request)
    }
    guard let username = form.first(names.user), let password = form.first(names.password), !username.isEmpty,
      !password.isEmpty
    else {
      try await users.storage.noteRefusal(AuditEvent(.passwordRefused, .wrong), at: now)
      return refused(request, destination, browser)
    }
    let source = GuessSource(request)
    let decision = await users.verify(
      PasswordAttempt(
        username: username, password: Secret(password), source: source, pathway: "gateway.form", requestID: request.id),
      admits: admission.admits)
    switch decision {
    case .accepted(let user):
      guard admission.admits(user) else { return notAdmitted(request) }
      do {
        return try await signedIn(user, request, destination)
      } catch let error as ServerError where error.code == .userChanged {
        return refused(request, destination, browser)
      }
    case .refused:
      if configuration.style != .ostiary, configuration.lockout == .early,
        try await users.wait(forName: username, from: source) != nil
      {
        return lockedOut(destination, request)
      }
      return refused(request, destination, browser)
    case .wait(let delay):
      guard configuration.style == .ostiary else { return lockedOut(destination, request) }
      return .page(pages.wait, status: .tooManyRequests).retrying(after: delay)
    case .overloaded(let delay): return .page(pages.overloaded, status: .serviceUnavailable).retrying(after: delay)
    case .unavailable(let error): throw error
    }
  }

  /// The form again, with a sentence about it, and the status of success: nothing but the page says that it was wrong.
  private func refused(_ request: DoorRequest, _ destination: Destination, _ browser: PageBrowser) -> DoorResponse {
    if configuration.style == .webSEAL, configuration.redirectsLocalResponses {
      return .redirect(to: localResponse("error", destination, request, code: Self.failed))
    }
    return loginForm(request, destination, browser, notice: .failed)
  }

  private func lockedOut(_ destination: Destination, _ request: DoorRequest) -> DoorResponse {
    if configuration.style == .webSEAL, configuration.redirectsLocalResponses {
      return .redirect(to: localResponse("acct_locked", destination, request, code: Self.locked))
    }
    return .page(pages.locked)
  }

  private func localResponse(
    _ name: String, _ destination: Destination, _ request: DoorRequest, code: String = "0x00000000"
  ) -> String {
    names.loginPage + "/?" + operation(name, destination, request, code: code)
  }

  // MARK: Afterwards

  /// Begins a session, which replaces the one that the request came with.
  private func signedIn(
    _ user: User, _ request: DoorRequest, _ destination: Destination
  ) async throws -> DoorResponse {
    let proof = Secret(RandomBytes.make(32).base64URL)
    let session = GatewayCookies.sessionID(of: proof)
    _ = try await parts.sessions.begin(for: user, derivedID: session, attributes: [:])
    for old in cookies.proofs(in: request) {
      try await parts.sessions.end(GatewayCookies.sessionID(of: old), .signedInAgain)
    }
    var response = try await success(user, session, request, destination)
    for cookie in cookies.setting(proof) { response = response.settingCookie(cookie) }
    response = response.settingCookie(users.deviceCookie(for: user, request, isSecure: origin.isSecure))
    if configuration.style != .ostiary { response = cookies.deletingTarget(in: response) }
    return response
  }

  private func success(
    _ user: User, _ session: Secret, _ request: DoorRequest, _ destination: Destination
  ) async throws -> DoorResponse {
    switch configuration.success {
    case .page:
      if configuration.style == .webSEAL, configuration.redirectsLocalResponses {
        return .redirect(to: localResponse("login_success", destination, request))
      }
      return .page(pages.signedIn(name: user.displayName))
    case .inline:
      guard let target = destination.target, target.origin == origin else {
        return .page(pages.signedIn(name: user.displayName))
      }
      var headers = request.headers
      headers[.contentType] = nil
      headers[.contentLength] = nil
      var wanted = request.asking(for: target.path, method: .get, headers: headers, body: [])
      if configuration.heldRequests == .automatically, let held = destination.held,
        let browser = knownBrowser(of: request)
      {
        parts.held.arm(held, session: session)
        wanted =
          parts.held.take(session: session, browser: browser, target: target.path, seal: parts.seal, now: now)
          .map(wanted.replaying) ?? wanted
      }
      return try await answer(wanted, nil, content(at: wanted.path), user)
    case .originalResource:
      if let held = destination.held {
        guard configuration.heldRequests == .automatically else {
          return .redirect(to: "/gateway/continue?target=" + sealed(destination), status: .seeOther)
        }
        parts.held.arm(held, session: session)
      }
      return success(destination)
    }
  }

  /// To what was asked for at first; where that isn't known, to a page that says that it worked.
  private func success(_ destination: Destination) -> DoorResponse {
    guard configuration.style != .ostiary else {
      return .redirect(to: destination.target?.url ?? "/gateway", status: .seeOther)
    }
    return destination.target.map { .redirect(to: $0.url) } ?? .page(pages.signedIn(name: nil))
  }
}
