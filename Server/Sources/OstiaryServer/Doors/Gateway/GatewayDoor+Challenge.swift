import Foundation
import HTTPTypes
import NIOCore
import OstiaryCore

extension GatewayDoor {
  /// The address of the first request, sealed so that an attacker can't choose it, and the id of the form held back.
  struct Destination: Sendable {
    let target: ReturnTarget?
    var held: String?
  }

  // MARK: Asking to sign in

  /// The challenge to a client without a session, in place of the requested resource.
  func challenge(
    _ request: DoorRequest, _ visitor: GatewayVisitor, _ body: BodyStream?
  ) async throws -> DoorResponse {
    let target = ReturnTarget(origin, path: request.target)
    let client = GatewayClient(request.headers)
    if configuration.challenge == .negotiated, client == .program {
      return typedChallenge(visitor, at: origin)
    }
    let browser = room.browser(of: request)
    var destination = Destination(target: target)
    let isPlain = request.method == .get || request.method == .head
    if let target, !isPlain { destination.held = try await hold(request, body, target, browser) }
    // A request that can't be repeated by opening its address is not repeated: the sign-in leads to the start page.
    if !isPlain, destination.held == nil { destination = Destination(target: nil) }
    var response: DoorResponse
    switch configuration.challenge {
    case .negotiated:
      response = .redirect(
        to: loginLocation(destination, request, visitor, at: origin), status: isPlain ? .found : .seeOther)
    case .redirect: response = .redirect(to: loginLocation(destination, request, visitor, at: origin))
    case .form: response = loginForm(request, destination, browser, notice: .none)
    case .unauthorizedForm:
      response = loginForm(request, destination, browser, notice: .none)
      response.status = .unauthorized
    }
    if destination.held != nil { response = browser.introduced(in: response) }
    return withTarget(destination, in: withoutStaleCookies(visitor, in: response))
  }

  /// The 401 for programs. `login` is the address of the login page; `reason` distinguishes a first visit from an ended
  /// session.
  func typedChallenge(_ visitor: GatewayVisitor, at origin: Origin) -> DoorResponse {
    let body: JSONValue = .object([
      "challenge": "login-form", "gateway": .string(configuration.name),
      "login": .string(origin.description + names.loginPage),
      "reason": visitor.isStale ? "session-expired" : "no-session",
    ])
    var response = (try? DoorResponse.json(body, status: .unauthorized)) ?? DoorResponse(status: .unauthorized)
    response.headers[.contentType] = "application/vnd.ostiary.challenge+json"
    response.headers[.wwwAuthenticate] = "Ostiary-Gateway realm=\"\(configuration.name)\""
    return withoutStaleCookies(visitor, in: response)
  }

  func withoutStaleCookies(_ visitor: GatewayVisitor, in response: DoorResponse) -> DoorResponse {
    visitor.isStale && configuration.deletesStaleCookies ? cookies.deletingSession(in: response) : response
  }

  /// Vendors' pages have no field for the destination, and programs that fill in their forms send only the known fields.
  private func withTarget(_ destination: Destination, in response: DoorResponse) -> DoorResponse {
    guard configuration.style != .ostiary, destination.target != nil else { return response }
    return response.settingCookie(cookies.settingTarget(sealed(destination)))
  }

  // MARK: Where to

  func sealed(_ destination: Destination) -> String {
    guard let target = destination.target else { return "" }
    return parts.seal.seal(
      .target, [target.url, destination.held ?? ""], until: now.addingTimeInterval(FrontRoom.pageLifetime))
  }

  /// A destination that this server has sealed; the start page for any other text.
  func destination(sealed text: String?) -> Destination {
    guard let text, let fields = parts.seal.open(.target, text, at: now), fields.count == 2 else {
      return Destination(target: nil)
    }
    return Destination(
      target: ReturnTarget(fields[0], origin: origin, allowed: origins), held: fields[1].isEmpty ? nil : fields[1])
  }

  /// The address of the login page for a destination.
  func loginLocation(
    _ destination: Destination, _ request: DoorRequest?, _ visitor: GatewayVisitor, at origin: Origin
  ) -> String {
    let page = origin.description + names.loginPage
    if configuration.style == .webSEAL, configuration.redirectsLocalResponses {
      return page + "/?" + operation("login", destination, request, isOld: visitor.isStale)
    }
    guard configuration.style == .ostiary, destination.target != nil else { return page }
    return page + "?target=" + sealed(destination)
  }

  /// The query that WebSEAL's own pages get about the event.
  func operation(
    _ name: String, _ destination: Destination, _ request: DoorRequest?, isOld: Bool = false,
    code: String = "0x00000000"
  ) -> String {
    let fields = [
      ("TAM_OP", name), ("USERNAME", "unauthenticated"), ("ERROR_CODE", code),
      ("URL", destination.target?.path ?? "/"), ("REFERER", request?.headers["Referer"] ?? ""),
      ("OLDSESSION", isOld ? "1" : ""),
    ]
    return fields.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
  }

  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }

  // MARK: Held requests

  /// Stores a browser's form, if it can be stored: a form of a page of this server, and not too long.
  private func hold(
    _ request: DoorRequest, _ body: BodyStream?, _ target: ReturnTarget, _ browser: PageBrowser
  ) async throws -> String? {
    guard configuration.heldRequests != .never, request.method == .post, !room.isFromElsewhere(request) else {
      return nil
    }
    var bytes = request.body
    if let body {
      guard body.announcedSize ?? 0 <= configuration.heldBodySize else { return nil }
      do {
        try await body.read(upTo: configuration.heldBodySize) { bytes.append(contentsOf: $0.readableBytesView) }
      } catch BodyProblem.tooLarge {
        return nil
      }
    }
    guard bytes.count <= configuration.heldBodySize else { return nil }
    let held = HeldRequest(
      method: request.method.rawValue, target: target.path, contentType: request.headers[.contentType],
      body: Data(bytes))
    return try await parts.held.hold(
      held, browser: browser.id, address: ClientAddress(request.clientAddress), now: now)
  }

  /// `GET /gateway/continue`: asks the user whether to send the form held back.
  func askToContinue(_ request: DoorRequest) async throws -> DoorResponse {
    let destination = destination(sealed: request.query.first("target"))
    guard case .user(let user, let proof) = try await visitor(of: request) else {
      return .redirect(to: loginLocation(destination, request, .nobody, at: origin))
    }
    guard let target = destination.target, let held = destination.held, let browser = room.knownBrowser(of: request),
      try await parts.held.holds(held, browser: browser, target: target.path, now: now)
    else { return .redirect(to: destination.target?.url ?? "/gateway", status: .seeOther) }
    let token = parts.seal.seal(
      .heldRequest, [browser, held, target.url, room.cookies.mark(of: proof)],
      until: now.addingTimeInterval(FrontRoom.pageLifetime))
    return .page(pages(for: request).askToContinue(path: target.path, user: user.displayName, token: token))
  }

  /// `POST /gateway/continue`: releases the form for the next request for its address, or removes it.
  func continueHeld(_ request: DoorRequest) async throws -> DoorResponse {
    guard !room.isFromElsewhere(request), case .user(_, let proof) = try await visitor(of: request),
      let browser = room.knownBrowser(of: request),
      let fields = request.form?.first("token").flatMap({ parts.seal.open(.heldRequest, $0, at: now) }),
      fields.count == 4, fields[0] == browser, fields[3] == room.cookies.mark(of: proof),
      let target = ReturnTarget(fields[2], origin: origin, allowed: origins)
    else {
      try await room.noteForged()
      return .page(pages(for: request).room.expired(next: names.loginPage), status: .forbidden)
    }
    let response = DoorResponse.redirect(to: target.url, status: .seeOther)
    guard request.form?.first("action") == "send" else {
      try await parts.held.drop(fields[1])
      return response
    }
    return try await release(fields[1], GatewayCookies.sessionID(of: proof), in: response)
  }

  /// Releases a form for the session's next request for its address, and lets the browser say that there is one.
  func release(_ held: String, _ session: Secret, in response: DoorResponse) async throws -> DoorResponse {
    guard try await parts.held.arm(held, session: session, now: now) else { return response }
    return response.settingCookie(cookies.settingHeld)
  }
}

extension SealPurpose {
  /// The destination after signing in, and the id of the form held back.
  static let target = SealPurpose("target")
  /// The form of the page that asks whether to send the form held back.
  static let heldRequest = SealPurpose("continue", version: 2)
}
