import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryTesting

/// A gateway with a login form in front of a server, in memory. Both count what they do.
struct FormGateway: Sendable {
  /// How it demands sign-in.
  enum Demand: String, Sendable, CaseIterable { case page, redirect, unauthorized, typed }
  /// What it answers to the right password.
  enum Success: String, Sendable, CaseIterable { case redirectToOriginal, redirectToPage, page }

  struct State: Sendable {
    var sessions: Set<String> = []
    var tokens: Set<String> = []
    var serial = 0
    var executed: [String] = []
    var pages = 0
    var posts = 0
    var accepted = 0
    var isLocked = false
    /// Ends all sessions when so many requests have been executed.
    var expiresAfter = Int.max
    var isInMaintenance = false
    /// The redirect to the login page does not say what was asked for.
    var forgetsOriginal = false
  }

  let demand: Demand
  let success: Success
  let clock = ManualClock()
  let transport: ScriptedTransport
  let recorder = EventRecorder()
  let state = Locked(State())
  /// What stands behind it.
  let server: URL

  static let password = Credential.password(username: "ann", password: "ap+ple &%é=")
  static var server: URL { URL(string: "https://gate.example/api") ?? URL(filePath: "/") }

  init(_ demand: Demand = .page, success: Success = .redirectToOriginal, server: URL = Self.server) {
    self.demand = demand
    self.success = success
    self.server = server
    transport = ScriptedTransport(clock: clock) { [state] request in
      Self.answer(request, demand, success, state)
    }
  }

  func expire() { state.withLock { $0.sessions = [] } }
  var executed: [String] { state.withLock { $0.executed } }
  var posts: Int { state.withLock { $0.posts } }

  /// The same gateway, over HTTP.
  static func overHTTP(
    _ demand: Demand, success: Success = .redirectToOriginal
  ) throws -> (gateway: FormGateway, server: LoopbackServer) {
    let gateway = Locked<FormGateway?>(nil)
    let server = try LoopbackServer { request in
      guard let gateway = gateway.withLock({ $0 }), let method = HTTPRequest.Method(request.method) else {
        return [.response(503)]
      }
      let head = HTTPRequest(
        method: method, scheme: "http", authority: request.fields[.init("Host") ?? .location], path: request.target,
        headerFields: request.fields)
      let response = answer(TransportRequest(head, body: request.body), demand, success, gateway.state)
      return [
        .response(
          response.status.code, response.head.headerFields.map { ($0.name.rawName, $0.value) }, body: response.text)
      ]
    }
    let made = FormGateway(demand, success: success, server: server.url("/api"))
    gateway.withLock { $0 = made }
    return (made, server)
  }

  func login() throws -> FormLogin {
    var login = try FormLogin("test gateway", at: server)
    login.allowingInsecureHTTPForPasswords = server.scheme == "http"
    return login
  }

  func authenticator(_ login: FormLogin? = nil) throws -> GatewayAuthenticator {
    var authenticator = try GatewayAuthenticator(server: server, handlers: [try login ?? self.login()])
    if let url = URL(string: "/logout", relativeTo: server)?.absoluteURL { authenticator.logout = .visit(url) }
    return authenticator
  }

  func manager(
    _ credentials: CredentialSource = .upFront(password), _ authenticator: GatewayAuthenticator? = nil,
    store: any SessionStore = EphemeralStore(), transport: (any Transport)? = nil
  ) throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(1))
    let manager = SessionManager(
      authenticator: try authenticator ?? self.authenticator(), transport: transport ?? self.transport,
      credentials: credentials, store: store, configuration: configuration, clock: clock)
    manager.onEvent { [recorder] in recorder.record($0) }
    return manager
  }

  func request(_ path: String, method: HTTPRequest.Method = .get) -> TransportRequest {
    var request = Self.request(path, method: method)
    request.head.scheme = server.scheme
    request.head.authority = Origin(server)?.authority
    return request
  }

  static func request(
    _ path: String = "/api/things", method: HTTPRequest.Method = .get, accept: String? = "application/json"
  ) -> TransportRequest {
    var head = HTTPRequest(method: method, scheme: "https", authority: "gate.example", path: path)
    head.headerFields[.accept] = accept
    return TransportRequest(head)
  }

  // MARK: The gateway

  private static func answer(
    _ request: TransportRequest, _ demand: Demand, _ success: Success, _ state: Locked<State>
  ) -> TransportResponse {
    let path = String((request.head.path ?? "/").prefix { $0 != "?" })
    let cookies = (request.head.headerFields[.cookie] ?? "").split(separator: "; ").map(String.init)
    return state.withLock { state in
      if state.isInMaintenance { return .html("<title>Maintenance</title><p>We will be back soon.") }
      switch (request.head.method, path) {
      case (.get, "/login"): return loginPage(&state, request, returning: query(request)["return"])
      case (.post, "/login"): return post(request, success, &state)
      case (.get, "/logout"):
        state.sessions.subtract(cookies)
        return .status(.ok, headerFields: [.setCookie: "gw=; Path=/; Max-Age=0"])
      case (.get, "/welcome"): return .html("<title>Welcome</title>You are signed in.")
      default: break
      }
      guard !state.sessions.isDisjoint(with: cookies) else {
        var response = challenge(request, demand, &state)
        // A client with a session that is over is told to forget it.
        if cookies.contains(where: { $0.hasPrefix("gw=") }) {
          response.head.headerFields.append(HTTPField(name: .setCookie, value: "gw=; Path=/; Max-Age=0"))
        }
        return response
      }
      // The server's own address is where a sign-in is checked.
      if request.head.method == .get, request.head.path == "/api" { return .json(["hello": "world"]) }
      state.executed.append("\(request.head.method.rawValue) \(request.head.path ?? "")")
      if state.executed.count == state.expiresAfter { state.sessions = [] }
      return .json(["hello": "world"])
    }
  }

  private static func challenge(
    _ request: TransportRequest, _ demand: Demand, _ state: inout State
  ) -> TransportResponse {
    let original = FormEncoding.serialize([("return", request.head.path ?? "/")])
    switch demand {
    case .page: return loginPage(&state, request, returning: request.head.path)
    case .unauthorized:
      var response = loginPage(&state, request, returning: request.head.path)
      response.head.status = .unauthorized
      return response
    case .redirect:
      return .status(.found, headerFields: [.location: state.forgetsOriginal ? "/login" : "/login?\(original)"])
    case .typed:
      let here = "\(request.head.scheme ?? "")://\(request.head.authority ?? "")"
      let login: JSONValue = .string("\(here)/login?\(original)")
      return .json(
        ["challenge": "login-form", "gateway": "test", "login": login, "reason": "no-session"], status: .unauthorized,
        headerFields: [.wwwAuthenticate: "Ostiary-Gateway realm=\"test\""])
    }
  }

  private static func loginPage(
    _ state: inout State, _ request: TransportRequest, returning: String?, error: String = ""
  ) -> TransportResponse {
    state.serial += 1
    state.pages += 1
    let token = "t\(state.serial)"
    state.tokens.insert(token)
    let original = (returning ?? "/").replacingOccurrences(of: "&", with: "&amp;")
    var response = TransportResponse.html(
      """
      <!doctype html><title>Sign in</title><p id=error>\(error)</p>
      <form action="/login" method=POST>
      <input type=hidden name=token value=\(token)><input type=hidden name=return value="\(original)">
      <input name=username><input type=password name=password><button name=op value=login>Sign in</button>
      </form>
      """)
    response.head.headerFields[.setCookie] = "pre=\(token); Path=/\(secure(request))"
    return response
  }

  private static func post(_ request: TransportRequest, _ success: Success, _ state: inout State) -> TransportResponse {
    state.posts += 1
    let pairs = FormEncoding.parse(String(decoding: request.body ?? Data(), as: UTF8.self))
    let fields = Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    let cookies = request.head.headerFields[.cookie] ?? ""
    guard let token = fields["token"], state.tokens.remove(token) != nil, cookies.contains("pre=\(token)"),
      fields["op"] == "login"
    else { return .html("<title>Bad Request</title>Invalid token", status: .badRequest) }
    if state.isLocked { return .html("<title>Account locked</title>Ask somebody.") }
    guard fields["username"] == "ann", fields["password"] == "ap+ple &%é=" else {
      return loginPage(&state, request, returning: fields["return"], error: "Login failed")
    }
    state.serial += 1
    state.accepted += 1
    let session = "gw=\(state.serial)"
    state.sessions.insert(session)
    let cookie: HTTPFields = [.setCookie: "\(session); Path=/; HttpOnly\(secure(request))"]
    switch success {
    case .redirectToOriginal:
      var fields2 = cookie
      fields2[.location] = fields["return"]
      return .status(.found, headerFields: fields2)
    case .redirectToPage:
      var fields2 = cookie
      fields2[.location] = "/welcome"
      return .status(.seeOther, headerFields: fields2)
    case .page:
      var response = TransportResponse.html("<title>Success</title>Your login was successful.")
      response.head.headerFields.append(contentsOf: cookie)
      return response
    }
  }

  private static func secure(_ request: TransportRequest) -> String { request.head.scheme == "https" ? "; Secure" : "" }

  private static func query(_ request: TransportRequest) -> [String: String] {
    let text = (request.head.path ?? "").split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    return Dictionary(FormEncoding.parse(String(text)).map { ($0.name, $0.value) }) { first, _ in first }
  }
}
