import Foundation
import HTTPTypes
import OstiaryCore

extension GatewayDoor {
  private static let failed = "0x132120c8"
  private static let locked = "0x13212132"

  // MARK: The page

  /// The login page. A user who is signed in already is redirected.
  func loginPage(_ request: DoorRequest) async throws -> DoorResponse {
    var destination = destination(sealed: request.query.first("target") ?? request.cookies(named: cookies.target).first)
    if destination.target == nil {
      let named = request.query.first("rd") ?? (configuration.style == .webSEAL ? request.query.first("URL") : nil)
      destination = Destination(target: named.flatMap { ReturnTarget($0, origin: origin, allowed: origins) })
    }
    if configuration.style == .ostiary {
      var state = FrontRoomState()
      if case .goOn = state.step(.arrived(try await room.visitor(of: request)?.strength)) {
        return success(destination, request)
      }
    }
    let browser = room.browser(of: request)
    switch request.query.first("TAM_OP") {
    case "acct_locked"?: return .page(pages(for: request).locked)
    case "logout"?: return .page(pages(for: request).room.signedOut(signIn: names.loginPage))
    case "login_success"?: return .page(pages(for: request).signedIn(name: nil))
    case "error"?: return loginForm(request, destination, browser, notice: .refused)
    default: return loginForm(request, destination, browser, notice: .none)
    }
  }

  /// The page with the form, which is valid once and for this browser only.
  /// - Parameter hint: The name that was typed before; the imitated products' pages don't keep it.
  func loginForm(
    _ request: DoorRequest, _ destination: Destination, _ browser: PageBrowser, notice: FrontRoomState.Notice,
    hint: String? = nil
  ) -> DoorResponse {
    var action = names.loginForm
    if configuration.usesRelativeFormAction {
      let segments = request.path.byteParts(at: "/").dropFirst()
      action = String(repeating: "../", count: max(0, segments.count - 1)) + action.droppingBytes(1)
    }
    let token = demandsToken ? room.token(.signIn, browser) : nil
    if configuration.style == .webSEAL { action += "?token=" + (token ?? "Unknown") }
    let form = FrontRoomPages.SignIn(
      action: action, token: token, target: sealed(destination), hint: hint, notice: notice)
    let response = DoorResponse.page(pages(for: request).login(form))
    return demandsToken ? browser.introduced(in: response) : response
  }

  var demandsToken: Bool { configuration.style == .ostiary || configuration.validatesSecretToken }

  /// Whether a form comes from a page of this browser, for the first time.
  private func isGenuine(_ request: DoorRequest) async throws(ServerError) -> Bool {
    guard demandsToken else { return !(try await room.isForged(request)) }
    let token = configuration.style == .webSEAL ? request.query.first("token") : nil
    return try await room.isGenuine(request, .signIn, token: token, once: parts.used)
  }

  // MARK: The form

  /// Handles the form.
  func submitLogin(_ request: DoorRequest) async throws -> DoorResponse {
    guard let form = request.form else {
      return .failure(.unsupportedMediaType, .formExpected, for: request)
    }
    let destination = destination(sealed: form.first("target") ?? request.cookies(named: cookies.target).first)
    let browser = room.browser(of: request)
    let (name, password) = (form.first(names.user) ?? "", form.first(names.password) ?? "")
    let source = GuessSource(request)
    let end = try await room.signIn(
      request, isGenuine: try await isGenuine(request), name: name, password: password, isAdmitted: admission.admits
    ) { name, password in
      await users.verify(
        PasswordAttempt(
          username: name, password: password, source: source, pathway: "gateway.form", requestID: request.id),
        admits: admission.admits)
    }
    switch end {
    case .signedIn(let user, let proof): return try await signedIn(user, proof, request, destination)
    case .again(.expired):
      if configuration.style == .ostiary {
        var response = loginForm(request, destination, browser, notice: .expired, hint: name)
        response.status = .forbidden
        return response
      }
      return .failure(
        room.isFromElsewhere(request) ? .forbidden : .badRequest, .requestInvalid, for: request)
    case .again:
      if configuration.style != .ostiary, configuration.lockout == .early, !name.isEmpty, !password.isEmpty,
        try await users.wait(forName: name, from: source) != nil
      {
        return lockedOut(destination, request)
      }
      return refused(request, destination, browser, name)
    case .refused(.notAdmitted): return notAdmitted(request)
    case .refused(.wait) where configuration.style != .ostiary: return lockedOut(destination, request)
    case .refused(let refusal):
      return pages(for: request).room.notNow(refusal) ?? refused(request, destination, browser, name)
    }
  }

  /// The form again, with a sentence about the problem and the status of success: only the page's text reports the failure.
  private func refused(
    _ request: DoorRequest, _ destination: Destination, _ browser: PageBrowser, _ name: String
  ) -> DoorResponse {
    if configuration.style == .webSEAL, configuration.redirectsLocalResponses {
      return .redirect(to: localResponse("error", destination, request, code: Self.failed))
    }
    return loginForm(request, destination, browser, notice: .refused, hint: name)
  }

  private func lockedOut(_ destination: Destination, _ request: DoorRequest) -> DoorResponse {
    if configuration.style == .webSEAL, configuration.redirectsLocalResponses {
      return .redirect(to: localResponse("acct_locked", destination, request, code: Self.locked))
    }
    return .page(pages(for: request).locked)
  }

  private func localResponse(
    _ name: String, _ destination: Destination, _ request: DoorRequest, code: String = "0x00000000"
  ) -> String {
    names.loginPage + "/?" + operation(name, destination, request, code: code)
  }

  // MARK: Afterwards

  /// Redirects to the first request's address, with the session that has begun.
  private func signedIn(
    _ user: User, _ proof: Secret, _ request: DoorRequest, _ destination: Destination
  ) async throws -> DoorResponse {
    var response = try await success(user, GatewayCookies.sessionID(of: proof), request, destination)
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
      return .page(pages(for: request).signedIn(name: user.displayName))
    case .inline:
      guard let target = destination.target, target.origin == origin else {
        return .page(pages(for: request).signedIn(name: user.displayName))
      }
      var headers = request.headers
      headers[.contentType] = nil
      headers[.contentLength] = nil
      var wanted = request.asking(for: target.path, method: .get, headers: headers, body: [])
      if configuration.heldRequests == .automatically, let held = destination.held,
        let browser = room.knownBrowser(of: request)
      {
        _ = try await parts.held.arm(held, session: session, now: now)
        wanted =
          try await parts.held.take(session: session, browser: browser, target: target.path, now: now)
          .map(wanted.replaying) ?? wanted
      }
      return try await answer(wanted, nil, content(at: wanted.path), user)
    case .originalResource:
      if let held = destination.held {
        guard configuration.heldRequests == .automatically else {
          return .redirect(to: "/gateway/continue?target=" + sealed(destination), status: .seeOther)
        }
        return try await release(held, session, in: success(destination, request))
      }
      return success(destination, request)
    }
  }

  /// Redirects to the first request's address; if that isn't known, to a page that reports the success.
  private func success(_ destination: Destination, _ request: DoorRequest) -> DoorResponse {
    guard configuration.style != .ostiary else {
      return .redirect(to: destination.target?.url ?? "/gateway", status: .seeOther)
    }
    return destination.target.map { .redirect(to: $0.url) } ?? .page(pages(for: request).signedIn(name: nil))
  }
}
