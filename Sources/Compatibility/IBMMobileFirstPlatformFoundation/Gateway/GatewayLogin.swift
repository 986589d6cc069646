internal import Foundation
internal import HTTPTypes
internal import Ostiary
internal import OstiaryGateway

/// Signs in to and out of a gateway by itself, with what the configuration says, where no handler of the app's does.
struct GatewayLogin: Sendable {
  let configuration: MobileFirstGatewayConfiguration
  let server: ServerAddress
  let observer: FormObserver
  let clock: any SessionClock

  /// Fills in the gateway's login form, and looks whether the session stands.
  /// - Returns: the session's cookies, and what prevented the look, if anything did: the gateway has acted on the form then.
  /// - Throws: ``OstiaryError``, which says which name of the configuration does not fit where one doesn't.
  func signIn(_ credentials: LoginCredentials) async throws -> (cookies: CookieJar, doubt: OstiaryError?) {
    do {
      var form = try form()
      form.fields.others = credentials.others
      let authenticator = try GatewayAuthenticator(server: sessionCheck, handlers: [form])
      let context = AuthenticationContext(transport: observer, clock: clock)
      let grant = try await authenticator.signIn(
        with: .password(username: credentials.username, password: credentials.password), in: context)
      guard grant.needsIdentification else { return (grant.proof.cookies, nil) }
      do {
        return (try await authenticator.identify(grant, in: context).proof.cookies, nil)
      } catch let error as OstiaryError where error.code != .invalidCredentials {
        return (grant.proof.cookies, error)
      }
    } catch let error as OstiaryError {
      throw explained(error)
    }
  }

  /// Ends the session of these cookies at the gateway.
  /// - Parameter address: where it is ended.
  func signOut(_ cookies: CookieJar, at address: URL) async throws {
    var authenticator = try GatewayAuthenticator(server: sessionCheck, handlers: [try form()])
    authenticator.logout = configuration.logoutIsForm ? .submitForm(at: address) : .visit(address)
    let context = AuthenticationContext(transport: observer, clock: clock)
    let session = Session(
      kind: .gateway, server: try sessionCheck, version: ProofVersion(),
      grant: SessionGrant(user: Session.User(id: "user"), proof: Proof(cookies: cookies)), issuedAt: clock.now)
    do {
      try await authenticator.end(session, in: context)
    } catch let error as OstiaryError {
      throw OstiaryError(
        error.code, "The cookies are gone here. \(error.message)",
        advice:
          "Check the address of the logout (MobileFirstGatewayConfiguration.logout); the gateway's session may go on.",
        disposition: error.disposition, underlying: error)
    }
  }

  /// The address that ends the gateway's session: the one that is configured, or WebSEAL's where its form was sent.
  /// - Parameter form: where the last login form was sent to.
  func logoutAddress(after form: URL?) throws -> URL? {
    if let logout = configuration.logout { return try address(logout, of: "logout") }
    guard let form, Self.knowsLogout(after: form),
      var components = URLComponents(url: form.deletingLastPathComponent(), resolvingAgainstBaseURL: true)
    else { return nil }
    components.query = nil
    return components.url?.appending(path: "pkmslogout")
  }

  /// Whether the address of a login form tells the one of the logout: it is WebSEAL's.
  static func knowsLogout(after form: URL) -> Bool { form.lastPathComponent == "pkmslogin.form" }

  private func form() throws -> FormLogin {
    let page = try configuration.loginPage.map { try address($0, of: "loginPage") }
    var form = try FormLogin("gateway", at: sessionCheck)
    form.origins = try ([Optional(server.origin), Origin(sessionCheck), page.flatMap { Origin($0) }] + origins())
      .compactMap { $0 }
    form.sign = configuration.formAction.map { LoginFormSign.action($0) } ?? .anyPassword
    form.loginPage = page
    form.fields.username = configuration.usernameField
    form.fields.password = configuration.passwordField
    form.button = configuration.button
    form.signs.locked.formUnion(configuration.lockedWords)
    form.signs.stale.formUnion(configuration.staleWords)
    form.allowingInsecureHTTPForPasswords = configuration.allowingInsecureHTTPForPasswords
    return form
  }

  private func origins() throws -> [Origin?] {
    try configuration.passwordOrigins.map { text in
      guard let origin = URL(string: text).flatMap({ Origin($0) }) else {
        throw MobileFirstGatewayConfiguration.invalid("passwordOrigins", "must be a list of http or https addresses")
      }
      return origin
    }
  }

  private var sessionCheck: URL {
    get throws { try address(configuration.sessionCheck ?? "", of: "sessionCheck") }
  }

  private func address(_ text: String, of name: String) throws -> URL {
    guard let url = try ServerAddress.head(.get, for: text, at: server).targetURL else {
      throw MobileFirstGatewayConfiguration.invalid(name, "is not an address")
    }
    return url
  }

  /// The error, with the names of the configuration that do not fit.
  private func explained(_ error: OstiaryError) -> OstiaryError {
    var reasons = observer.mismatches(of: configuration)
    if error.code == .notChallenged {
      reasons.append(
        "The address that was asked is \"\(configuration.sessionCheck ?? "the server's api/")\" (sessionCheck).")
    }
    guard !reasons.isEmpty else { return error }
    return OstiaryError(
      error.code, ([error.message] + reasons).joined(separator: " "),
      advice: "Correct the name in MobileFirstGatewayConfiguration.", disposition: error.disposition,
      requestMayHaveExecuted: error.requestMayHaveExecuted, underlying: error)
  }
}
