import Foundation
import HTTPTypes
import OstiaryCore

extension SealPurpose {
  /// The form of the page that asks for a device's code.
  static let deviceCode = SealPurpose("device code")
  /// The form of the page that asks whether to approve the device.
  static let deviceConsent = SealPurpose("device consent")
}

/// People at their browsers: the session, and the sign-in.
extension SalesforceDoor {
  /// The browser's user, if they are admitted here.
  func visitor(of request: DoorRequest, _ entry: SalesforceEntry) async throws(ServerError) -> FrontRoom.Visitor? {
    try await room.visitor(of: request) { entry.org(of: $0) != nil }
  }

  // MARK: Signing in

  /// A page's address and the query of the request: the place to return to after signing in.
  struct Place: Sendable {
    /// `/services/oauth2/authorize` or `/setup/connect`, with the path that precedes them.
    let path: String
    /// The query as it was sent, without the prompts that are done by then.
    let query: String

    /// The complete address.
    var address: String { query.isEmpty ? path : path + "?" + query }
    /// The address of a form of the page.
    func action(_ name: String) -> String { query.isEmpty ? "\(path)/\(name)" : "\(path)/\(name)?\(query)" }
  }

  /// The sign-in page.
  /// - Parameter sources: The addresses to which the browser may be sent in the end, for the page's policy.
  func signInPage(
    _ request: DoorRequest, _ place: Place, hint: String? = nil, notice: FrontRoomState.Notice = .none,
    sources: [String] = []
  ) -> DoorResponse {
    let browser = room.browser(of: request)
    let token = room.token(.signIn, browser, address: place.address)
    let page = pages(for: request).room.signIn(
      FrontRoomPages.SignIn(action: place.action("login"), token: token, hint: hint, notice: notice))
    return browser.introduced(in: .page(page, formTargets: sources))
  }

  /// Handles the form of the sign-in page.
  func submitSignIn(
    _ request: DoorRequest, _ entry: SalesforceEntry, _ place: Place, sources: [String] = []
  ) async throws -> DoorResponse {
    guard let form = request.form else {
      return .failure(.unsupportedMediaType, .formExpected, for: request)
    }
    let isGenuine = try await room.isGenuine(request, .signIn, address: place.address)
    let end = try await room.signIn(
      request, isGenuine: isGenuine, name: form.first("username"), password: form.first("password")
    ) { name, password in
      let found = try await user(named: name, entry)
      return await identity.verify(
        PasswordAttempt(
          username: found?.name ?? name, tenant: found.map(\.tenant) ?? entry.orgs.first?.tenant, typed: name,
          password: password, source: GuessSource(request), pathway: "salesforce.form", requestID: request.id))
    }
    switch end {
    case .signedIn(let user, let proof):
      return .redirect(to: place.address, status: .seeOther).settingCookie(room.cookies.setting(session: proof))
        .settingCookie(identity.deviceCookie(for: user, request, isSecure: origin.isSecure))
    case .again(let notice):
      var response = signInPage(request, place, hint: form.first("username"), notice: notice, sources: sources)
      response.status = notice == .expired ? .forbidden : .ok
      return response
    case .refused(let refusal):
      return pages(for: request).room.notNow(refusal) ?? .redirect(to: place.address, status: .seeOther)
    }
  }
}

extension DoorResponse {
  /// A page whose forms may lead, through redirects, to other addresses as well: browsers check every redirect against
  /// the page's policy.
  /// - Parameter formTargets: Sources of CSP: an origin, or a scheme with its colon.
  static func page(_ page: Page, formTargets: [String]) -> DoorResponse {
    var response = DoorResponse.page(page)
    response.headers[.contentSecurityPolicy] = Page.contentSecurityPolicy(leadingTo: formTargets)
    return response
  }
}
