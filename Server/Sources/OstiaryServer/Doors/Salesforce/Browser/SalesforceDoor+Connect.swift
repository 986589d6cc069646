import Foundation
import HTTPTypes
import OstiaryCore

/// `/setup/connect`: people approve a device here.
extension SalesforceDoor {
  /// Asks for the code.
  func connect(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    let place = connectPlace(request, entry)
    let visitor = try await visitor(of: request, entry)
    var state = FrontRoomState(FrontRoomNeeds(isFresh: request.query.first("prompt") == "login"))
    guard case .goOn = state.step(.arrived(visitor?.strength)), let user = visitor?.user else {
      return signInPage(request, place)
    }
    return codePage(request, user, place, code: request.query.first("user_code"))
  }

  /// Handles the form of the sign-in page.
  func submitConnectLogin(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    try await submitSignIn(request, entry, connectPlace(request, entry))
  }

  /// The code has been entered: shows the app that asks.
  func submitUserCode(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    let place = connectPlace(request, entry)
    guard let user = try await visitor(of: request, entry)?.user,
      try await room.isGenuine(request, .deviceCode, user: user, address: place.address),
      let code = request.form?.first("user_code")
    else { return .redirect(to: place.address, status: .seeOther) }
    let device: DeviceRequest
    switch try await tokens.device(userCode: code, typedBy: user, from: GuessSource(request)) {
    case .right(let found): device = found
    case .wrong: return try await unknownCode(request, user, place, code: code)
    case .wait(let delay): return try await tooManyCodes(request, user, delay)
    }
    guard let app = apps[device.clientID] else { return try await unknownCode(request, user, place, code: code) }
    let browser = room.browser(of: request)
    let pages = pages(for: request)
    let action = Place(path: place.path, query: "user_code=" + SalesforceOAuthFormat.encode(code))
    let question = FrontRoomPages.Question(
      app: app.name, user: user.displayName, scopes: device.scopes.map { ($0, pages.meaning(of: $0)) },
      action: action.action("decision"),
      token: room.token(.deviceConsent, browser, user: user, address: action.address),
      otherUser: action.path + "?prompt=login")
    return browser.introduced(in: .page(pages.room.consent(question)))
  }

  /// Handles the user's decision.
  func submitDeviceDecision(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    let code = request.query.first("user_code") ?? ""
    let place = Place(
      path: entry.path + "/setup/connect", query: "user_code=" + SalesforceOAuthFormat.encode(code))
    guard let user = try await visitor(of: request, entry)?.user,
      try await room.isGenuine(request, .deviceConsent, user: user, address: place.address)
    else { return .redirect(to: place.path, status: .seeOther) }
    let isAllowed = request.form?.first("decision") == "allow"
    let outcome = try await tokens.decideDevice(
      userCode: code, isAllowed: isAllowed, by: user, from: GuessSource(request))
    switch outcome {
    case .right: return .page(pages(for: request).deviceDone(isAllowed: isAllowed))
    case .wrong: return try await unknownCode(request, user, connectPlace(request, entry), code: nil)
    case .wait(let delay): return try await tooManyCodes(request, user, delay)
    }
  }

  private func tooManyCodes(
    _ request: DoorRequest, _ user: User, _ delay: Duration
  ) async throws -> DoorResponse {
    try await noteRefusal(AuditEvent(.codeRefused, .tooManyAttempts, user: user.id))
    return .page(pages(for: request).room.wait, status: .tooManyRequests).retrying(after: delay)
  }

  private func unknownCode(
    _ request: DoorRequest, _ user: User, _ place: Place, code: String?
  ) async throws -> DoorResponse {
    try await noteRefusal(AuditEvent(.codeRefused, .unknown, user: user.id))
    identity.audit.record(
      "device code refused", pathway: "salesforce.device", target: user.name,
      address: ClientAddress(request.clientAddress), requestID: request.id, at: now)
    return codePage(request, user, place, code: code, isUnknown: true)
  }

  /// Only the query's code is kept.
  private func connectPlace(_ request: DoorRequest, _ entry: SalesforceEntry) -> Place {
    let code = request.query.first("user_code").map { "user_code=" + SalesforceOAuthFormat.encode($0) }
    return Place(path: entry.path + "/setup/connect", query: code ?? "")
  }

  private func codePage(
    _ request: DoorRequest, _ user: User, _ place: Place, code: String?, isUnknown: Bool = false
  ) -> DoorResponse {
    let browser = room.browser(of: request)
    let token = room.token(.deviceCode, browser, user: user, address: place.address)
    let page = pages(for: request).deviceCode(
      action: place.action("code"), token: token, code: code, isUnknown: isUnknown)
    return browser.introduced(in: .page(page))
  }
}
