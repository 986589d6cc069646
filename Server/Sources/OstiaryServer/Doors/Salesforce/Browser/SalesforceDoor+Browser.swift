import Crypto
import Foundation
import HTTPTypes
import OstiaryCore

/// People at their browsers: who they are, and whether a form comes from a page of this server.
extension SalesforceDoor {
  /// How long a page is good.
  private static let pageLifetime: TimeInterval = 3600

  /// The browser's own number: one that this server has given out.
  func browser(of request: DoorRequest) -> PageBrowser {
    if let id = knownBrowser(of: request) { return PageBrowser(id: id, cookie: nil) }
    return PageBrowser(sealedWith: seal, as: "salesforce browser", at: now) { cookies.setting(browser: $0) }
  }

  private func knownBrowser(of request: DoorRequest) -> String? {
    cookies.browsers(in: request).lazy.compactMap { seal.open("salesforce browser", $0, at: now)?.first }.first
  }

  /// What a page's form does: its token is good for nothing else.
  enum PagePurpose: String, Sendable {
    case signIn = "sign in"
    case consent
    case deviceCode = "device code"
    case deviceDecision = "device decision"
  }

  /// A page's token: good for this browser, this purpose, this user and this address alone.
  func pageToken(_ browser: PageBrowser, _ purpose: PagePurpose, user: User?, target: String) -> String {
    seal.seal(
      "salesforce page", [browser.id, purpose.rawValue, user?.id ?? "", Self.digest(target)],
      until: now.addingTimeInterval(Self.pageLifetime))
  }

  /// Whether a form comes from a page that this browser was shown for this purpose, about this user and this address; where it
  /// doesn't, that is told.
  func isGenuine(_ request: DoorRequest, _ purpose: PagePurpose, user: User?, target: String) async throws -> Bool {
    if comesFromPage(request, purpose, user: user, target: target) { return true }
    try await noteRefusal(AuditEvent(.formRefused, .forged, user: user?.id))
    return false
  }

  private func comesFromPage(_ request: DoorRequest, _ purpose: PagePurpose, user: User?, target: String) -> Bool {
    guard !request.isCrossSite, let browser = knownBrowser(of: request),
      let token = request.form?.first("token"), let fields = seal.open("salesforce page", token, at: now)
    else { return false }
    return fields == [browser, purpose.rawValue, user?.id ?? "", Self.digest(target)]
  }

  private static func digest(_ text: String) -> String { SHA256.hash(data: Data(text.utf8)).base64URL }

  /// Who has signed in with that browser, if they may come in here.
  func visitor(of request: DoorRequest, _ entry: SalesforceEntry) async throws(ServerError) -> User? {
    for proof in cookies.proofs(in: request) {
      if let user = try await browserSessions.find(cookies.sessionID(of: proof))?.user,
        entry.org(of: user) != nil
      {
        return user
      }
    }
    return nil
  }

  // MARK: Signing in

  /// Where a page is, and what it was asked for with: what comes after signing in.
  struct Place: Sendable {
    /// `/services/oauth2/authorize` or `/setup/connect`, with what precedes them.
    let path: String
    /// The query as it was sent, without what has been done by then.
    let query: String

    /// The address again.
    var address: String { query.isEmpty ? path : path + "?" + query }
    /// Where a form of the page goes.
    func action(_ name: String) -> String { query.isEmpty ? "\(path)/\(name)" : "\(path)/\(name)?\(query)" }
  }

  /// The sign-in page.
  /// - Parameter sources: Where the browser may be sent in the end, for the page's policy.
  func signInPage(
    _ request: DoorRequest, _ place: Place, hint: String? = nil, notice: SalesforcePages.Notice = .none,
    sources: [String] = []
  ) -> DoorResponse {
    let browser = browser(of: request)
    let token = pageToken(browser, .signIn, user: nil, target: place.address)
    let page = pages.signIn(action: place.action("login"), token: token, hint: hint, notice: notice)
    return browser.introduced(in: .page(page, formTargets: sources))
  }

  /// The sign-in page has come back.
  func submitSignIn(
    _ request: DoorRequest, _ entry: SalesforceEntry, _ place: Place, sources: [String] = []
  ) async throws -> DoorResponse {
    guard let form = request.form else {
      return .failure(.unsupportedMediaType, "Send the sign-in form as a form.", for: request)
    }
    let name = form.first("username") ?? ""
    func again(_ notice: SalesforcePages.Notice, _ status: HTTPResponse.Status) -> DoorResponse {
      var response = signInPage(request, place, hint: name, notice: notice, sources: sources)
      response.status = status
      return response
    }
    guard try await isGenuine(request, .signIn, user: nil, target: place.address) else {
      return again(.expired, .forbidden)
    }
    guard let password = form.first("password"), !password.isEmpty, !name.isEmpty else {
      return again(.refused, .ok)
    }
    let found = try await user(named: name, entry)
    let decision = await identity.verify(
      PasswordAttempt(
        username: found?.name ?? name, tenant: found.map(\.tenant) ?? entry.orgs.first?.tenant, typed: name,
        password: Secret(password), source: GuessSource(request), pathway: "salesforce.form", requestID: request.id))
    switch decision {
    case .accepted(let user):
      guard let proof = try await beginSession(of: user, replacing: cookies.proofs(in: request)) else {
        return again(.refused, .ok)
      }
      return .redirect(to: place.address, status: .seeOther).settingCookie(cookies.setting(session: proof))
        .settingCookie(identity.deviceCookie(for: user, request, isSecure: origin.isSecure))
    case .refused: return again(.refused, .ok)
    case .wait(let delay): return .page(pages.wait, status: .tooManyRequests).retrying(after: delay)
    case .overloaded(let delay):
      return .page(pages.overloaded, status: .serviceUnavailable).retrying(after: delay)
    case .unavailable(let error): throw error
    }
  }

  /// Nothing if the user was disabled or given another password since theirs was found right.
  private func beginSession(of user: User, replacing old: [Secret]) async throws(ServerError) -> Secret? {
    let proof = Secret(RandomBytes.make(32).base64URL)
    do {
      _ = try await browserSessions.begin(
        for: user, derivedID: cookies.sessionID(of: proof), attributes: [:])
    } catch {
      if error.code == .userChanged { return nil }
      throw error
    }
    for old in old { try await browserSessions.end(cookies.sessionID(of: old), .signedInAgain) }
    return proof
  }
}

extension DoorResponse {
  /// A page whose forms may lead, through redirects, to other places as well: browsers hold every step of that against the
  /// page's policy.
  /// - Parameter formTargets: Sources of CSP: an origin, or a scheme with its colon.
  static func page(_ page: Page, formTargets: [String]) -> DoorResponse {
    var response = DoorResponse.page(page)
    guard !formTargets.isEmpty else { return response }
    response.headers[.contentSecurityPolicy] = Page.contentSecurityPolicy.replacing(
      "form-action 'self'", with: (["form-action 'self'"] + formTargets).joined(separator: " "))
    return response
  }
}
