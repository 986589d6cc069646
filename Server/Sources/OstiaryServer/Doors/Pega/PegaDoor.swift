import HTTPTypes
import OstiaryCore

/// The door that speaks Pega: Basic, query and form logins, session cookies under a context path, the login activities'
/// JSON, SnapStart, log-off through a guest, and a small protected API.
///
/// Sources: the vendor's help pages on SnapStart, authentication services and log-off, and requests of public clients.
/// Facts that have not been published are in ``PegaDoorConfiguration``.
package struct PegaDoor: Door {
  package let name = "pega"
  package let title = "Pega (Mashup SDK)"

  let configuration: PegaDoorConfiguration
  let origin: Origin
  let identity: IdentityService
  let sessions: ServerSessions
  let cookies: PegaCookies
  /// Numbers the created cases: a request that came twice shows.
  let caseCount = Locked(0)

  init(
    configuration: PegaDoorConfiguration, origin: Origin, identity: IdentityService, sessions: ServerSessions
  ) {
    self.configuration = configuration
    self.origin = origin
    self.identity = identity
    self.sessions = sessions
    cookies = PegaCookies(
      names: configuration.names, contextPath: configuration.contextPath, isSecure: origin.isSecure)
  }

  package var address: String { origin.description + configuration.contextPath }

  /// The pages, in the language of a request's reader.
  func pages(for request: DoorRequest) -> PegaPages {
    PegaPages(configuration: configuration, texts: PageTexts(request))
  }

  package func signIn(as username: String) -> String {
    "ostiary login pega --server \(address) --user \(username.shellWord)"
  }

  package var routes: [Route] {
    let context = configuration.contextPath
    let patterns = ["/" + configuration.names.servlet] + PegaServlet.patterns.dropFirst()
    // The bare context path is the default servlet: a client's base URL often ends there.
    var routes = [servletRoute(context, pattern: patterns[0], hasHash: false)]
    for pattern in patterns {
      routes.append(servletRoute(context + pattern, pattern: pattern, hasHash: false))
      routes.append(servletRoute(context + pattern + "/:hash/:thread", pattern: pattern, hasHash: true))
    }
    routes.append(Route(context + "/api/v1/authenticate", [.get: { try await authenticate($0) }]))
    routes.append(
      Route(context + "/api/v1/cases", [.get: { try await cases($0) }, .post: { try await createCase($0) }]))
    return routes
  }

  private func servletRoute(_ path: String, pattern: String, hasHash: Bool) -> Route {
    let handler: Route.Handler = { request in
      let servlet = PegaServlet(
        contextPath: configuration.contextPath, pattern: pattern, parameters: request.parameters)
      guard hasHash else { return try await self.servlet(request, servlet, hash: nil) }
      guard let hash = request.parameters["hash"], hash.hasByteSuffix("*"),
        request.parameters["thread"]?.hasBytePrefix("!") == true
      else { return .failure(.notFound, .nothingHere, for: request) }
      return try await self.servlet(request, servlet, hash: String(hash.droppingLastBytes(1)))
    }
    return Route(path, [.get: handler, .post: handler])
  }

  private func servlet(_ request: DoorRequest, _ servlet: PegaServlet, hash: String?) async throws -> DoorResponse {
    if request.method == .post, let form = request.form, isLogin(form) {
      return try await formLogin(request, form, servlet, hash: hash)
    }
    switch request.query.first(configuration.names.activityParameter) {
    case nil: return try await page(request, servlet, hash: hash)
    case configuration.mobileAppConfigurationActivity: return try await login(request, servlet, tellsVersions: true)
    case configuration.accessGroupDetailsActivity: return try await login(request, servlet, tellsVersions: false)
    case configuration.snapStartActivity: return try await snapStart(request, servlet)
    case configuration.portalActivity: return try await portal(request, servlet)
    case configuration.logOffActivity: return try await logOff(request, servlet)
    case configuration.endSessionActivity: return try await endSession(request, servlet)
    default:
      guard try await visitor(of: request)?.session.user != nil else { return unauthorized(request) }
      return .page(pages(for: request).unknownActivity, status: .notFound)
    }
  }

  /// A page without an activity. A request without a live session gets a guest session. At the servlet's own address a
  /// redirect leads to the guest's page. At another address, which usually names an ended session, the login form
  /// follows at once.
  private func page(_ request: DoorRequest, _ servlet: PegaServlet, hash: String?) async throws -> DoorResponse {
    let visitor = try await visitor(of: request)
    if let visitor, hash == nil { return .redirect(to: servlet.pagePath(of: visitor.id)) }
    if let visitor, let user = visitor.session.user { return portalPage(of: user, request, servlet) }
    if let visitor { return loginPage(of: visitor, request, servlet) }
    let guest = try await newGuest()
    guard hash == nil else { return cookies.setting(guest.id, in: loginPage(of: guest, request, servlet)) }
    let number = UInt32.random(in: 1_000_000_000...UInt32.max)
    return cookies.setting(
      guest.id, in: .redirect(to: servlet.pagePath(of: guest.id) + "?pzPostData=\(number)"))
  }

  private func portal(_ request: DoorRequest, _ servlet: PegaServlet) async throws -> DoorResponse {
    try await asUser(request, servlet) { user, request in portalPage(of: user, request, servlet) }
  }

  // MARK: Shared parts

  /// The user of the session that the cookies name; nil if they name no live session.
  func visitor(of request: DoorRequest) async throws(ServerError) -> PegaVisitor? {
    for id in cookies.sessionIDs(in: request) {
      if let session = try await sessions.find(id) { return PegaVisitor(id: id, session: session) }
    }
    return nil
  }

  func newGuest() async throws(ServerError) -> PegaVisitor {
    let issued = try await sessions.beginGuest()
    return PegaVisitor(id: issued.id, session: issued.session)
  }

  /// Verifies a credential. A right one begins a session that replaces the request's session.
  func signIn(_ credentials: PegaCredentials, _ request: DoorRequest) async throws(ServerError) -> PegaSignIn {
    switch await verify(credentials, request) {
    case .accepted(let user):
      let old = cookies.sessionIDs(in: request)
      let issued: IssuedSession
      do {
        issued = try await sessions.begin(for: user, replacing: old.first)
      } catch  where error.code == .userChanged {
        return .refused
      }
      for id in old.dropFirst() { try await sessions.end(id, .signedInAgain) }
      return .signedIn(PegaVisitor(id: issued.id, session: issued.session), user)
    case .refused:
      guard configuration.tellsLockedAccounts, try await identity.user(named: credentials.username)?.isDisabled == true
      else { return .refused }
      return .locked
    case .wait(let delay):
      return .later(.page(pages(for: request).throttled, status: .tooManyRequests).retrying(after: delay))
    case .overloaded(let delay):
      return .later(.page(pages(for: request).overloaded, status: .serviceUnavailable).retrying(after: delay))
    case .unavailable(let error): throw error
    }
  }

  /// Records a malformed credential.
  func noteMalformed() async throws(ServerError) {
    try await identity.storage.noteRefusal(AuditEvent(.passwordRefused, .wrong), at: identity.clock.now)
  }

  func verify(_ credentials: PegaCredentials, _ request: DoorRequest) async -> LoginDecision {
    await identity.verify(
      PasswordAttempt(
        username: credentials.username, password: credentials.password, source: GuessSource(request),
        pathway: credentials.pathway, requestID: request.id))
  }

  func accessGroup(of user: User) -> String {
    user.attributes["accessGroup"]?.string ?? configuration.accessGroup
  }

  func portalPage(of user: User, _ request: DoorRequest, _ servlet: PegaServlet) -> DoorResponse {
    .page(
      pages(for: request).portal(
        operatorName: user.displayName, operatorID: user.name, accessGroup: accessGroup(of: user),
        logOff: "\(servlet.path)?\(configuration.names.activityParameter)=\(configuration.logOffActivity)"))
  }

  /// The answer to a program that isn't signed in. It is the same for every reason, byte for byte.
  func unauthorized(_ request: DoorRequest) -> DoorResponse {
    var response = DoorResponse.page(pages(for: request).unauthorized, status: .unauthorized)
    response.headers[.wwwAuthenticate] = "Basic realm=\"\(configuration.realm)\""
    return response
  }

  func lockedProblem() throws -> DoorResponse {
    try problem("AccountLocked", "The account is locked.", status: .forbidden)
  }

  /// An error in the form of the vendor's JSON interfaces.
  func problem(_ id: String, _ message: String, status: HTTPResponse.Status) throws -> DoorResponse {
    let error: JSONValue = .object(["ID": .string(id), "message": .string(message)])
    return try .json(.object(["errors": .array([error])]), status: status)
  }
}
