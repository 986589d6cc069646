import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import TestSupport
import Testing

/// The gateways that the drop-in's users have, as their vendor documents them.
@Suite("Gateway-GS3: WebSEAL and DataPower")
struct VendorGatewayTests {
  @Test(
    "Gateway-GS3: WebSEAL by redirect, by local response redirect and by form: one login, the request executed once",
    arguments: WebSEAL.Manner.allCases)
  func signsIn(_ manner: WebSEAL.Manner) async throws {
    let gateway = WebSEAL(manner)
    let http = AuthenticatedTransport(try gateway.manager())
    #expect(try await http.send(FormGateway.request("/jct/orders?a=1&b=2", method: .post)).status == .ok)
    // The cached request that success redirects to is not fetched: it would be executed twice.
    #expect(gateway.state.withLock { $0.executed } == ["POST /jct/orders?a=1&b=2"])
    gateway.state.withLock { $0.sessions = [] }
    #expect(try await http.send(FormGateway.request("/jct/orders")).status == .ok)
    #expect(gateway.state.withLock { $0.logins } == 2)
    #expect(gateway.state.withLock { $0.executed.last } == "GET /jct/orders")
    if manner == .localRedirect { #expect(gateway.state.withLock { $0.oldSessions } == ["", "1"]) }
  }

  @Test("Gateway-GS3: a secret token that is used up is a 400, and the form is fetched again once")
  func secretToken() async throws {
    let gateway = WebSEAL(.form)
    gateway.state.withLock { $0.tokensToRefuse = 1 }
    let http = AuthenticatedTransport(try gateway.manager())
    #expect(try await http.send(FormGateway.request("/jct/orders")).status == .ok)
    #expect(gateway.state.withLock { $0.posts } == 2)
    let strict = WebSEAL(.form)
    strict.state.withLock { $0.tokensToRefuse = 9 }
    let error = await failure { try await AuthenticatedTransport(try strict.manager()).send(FormGateway.request()) }
    #expect(error?.code == .unexpectedResponse)
    #expect(strict.state.withLock { $0.posts } == 2)
  }

  @Test(
    "Gateway-GS3: an account that is locked, told at once or at the next attempt, by a page with status 200",
    arguments: [false, true])
  func locked(isLate: Bool) async throws {
    let gateway = WebSEAL(.form)
    gateway.state.withLock { $0.locksLate = isLate }
    let asked = Locked(0)
    let manager = try gateway.manager(
      .onRequest { _ in
        asked.withLock { $0 += 1 }
        return .password(username: "ann", password: "wrong")
      })
    let error = await failure { try await AuthenticatedTransport(manager).send(FormGateway.request("/jct/orders")) }
    #expect(error?.code == .accountLocked)
    #expect(error?.disposition == .terminal)
    // Two failures lock it; told late, the third attempt hears of it.
    #expect(asked.withLock { $0 } == (isLate ? 3 : 2))
    #expect(gateway.state.withLock { $0.executed.isEmpty })
  }

  @Test("Gateway-GS3: DataPower's form is known by its action, and JSON that mentions it is none")
  func dataPower() async throws {
    let transport = ScriptedTransport { request in
      if request.head.method == .post, request.head.path == "/j_security_check" {
        let body = String(decoding: request.body ?? Data(), as: UTF8.self)
        guard body == "j_username=fred&j_password=smith" else { return .html(Self.dataPowerForm) }
        return .status(
          .found, headerFields: [.location: "/docs", .setCookie: "LtpaToken2=abc; Path=/; Secure; HttpOnly"])
      }
      guard request.head.headerFields[.cookie]?.contains("LtpaToken2=abc") == true else {
        return .html(Self.dataPowerForm)
      }
      return .json(["text": "post to j_security_check <form action=j_security_check><input type=password>"])
    }
    let login = try FormLogin("DataPower", at: FormGateway.server, sign: .action("j_security_check"))
    let manager = SessionManager(
      authenticator: try GatewayAuthenticator(server: FormGateway.server, handlers: [login]), transport: transport,
      credentials: .upFront(.password(username: "fred", password: "smith")))
    for _ in 0..<2 {
      let response = try await AuthenticatedTransport(manager).send(FormGateway.request("/docs"))
      #expect(response.text.contains("post to"))
    }
    #expect(transport.count(.post, "/j_security_check") == 1)
  }

  private static let dataPowerForm = """
    <html><body><form method="POST" action="/j_security_check"><input type="text" name="j_username"/>
    <input type="password" name="j_password"/><input type="submit" value="Login"/></form></body></html>
    """
}

/// WebSEAL in memory: forms login with secret tokens, the request that it interrupts kept for after the login, and an
/// account that two failures lock.
struct WebSEAL: Sendable {
  enum Manner: String, Sendable, CaseIterable { case redirect, localRedirect, form }

  struct State: Sendable {
    var sessions: Set<String> = []
    var tokens: Set<String> = []
    var serial = 0
    var cached: String?
    var posts = 0
    var logins = 0
    var failures = 0
    var executed: [String] = []
    /// What each redirect said of an earlier session.
    var oldSessions: [String] = []
    var tokensToRefuse = 0
    var locksLate = false
  }

  let transport: ScriptedTransport
  let state = Locked(State())

  init(_ manner: Manner) {
    transport = ScriptedTransport { [state] request in state.withLock { Self.answer(request, manner, &$0) } }
  }

  func manager(_ credentials: CredentialSource = .upFront(.password(username: "ann", password: "right"))) throws
    -> SessionManager
  {
    var configuration = SessionConfiguration()
    configuration.retry = .none
    var login = try FormLogin("WebSEAL", at: FormGateway.server, sign: .action("/pkmslogin.form"))
    login.loginPage = URL(string: "https://gate.example/pkmslogin")
    return SessionManager(
      authenticator: try GatewayAuthenticator(server: FormGateway.server, handlers: [login]), transport: transport,
      credentials: credentials, configuration: configuration)
  }

  private static func answer(_ request: TransportRequest, _ manner: Manner, _ state: inout State) -> TransportResponse {
    let full = request.head.path ?? "/"
    let path = full.prefix { $0 != "?" }
    let cookies = (request.head.headerFields[.cookie] ?? "").split(separator: "; ").map(String.init)
    switch (request.head.method, path) {
    case (.post, "/pkmslogin.form"): return login(request, &state)
    case (.get, "/pkmslogin"), (.get, "/login/"): return form(&state)
    default: break
    }
    guard state.sessions.isDisjoint(with: cookies) else {
      state.executed.append("\(request.head.method.rawValue) \(full)")
      return .json(["fine": true])
    }
    state.cached = full
    let isOld = cookies.contains { $0.hasPrefix("PD-S-SESSION-ID=") }
    var response: TransportResponse
    switch manner {
    case .form: response = form(&state)
    case .redirect: response = .status(.found, headerFields: [.location: "/pkmslogin"])
    case .localRedirect:
      state.oldSessions.append(isOld ? "1" : "")
      let query = FormEncoding.serialize([
        ("TAM_OP", "login"), ("USERNAME", "unauthenticated"), ("ERROR_CODE", "0x00000000"), ("URL", full),
        ("REFERER", ""), ("OLDSESSION", isOld ? "1" : ""),
      ])
      response = .status(.found, headerFields: [.location: "/login/?\(query)"])
    }
    if isOld {
      let gone = HTTPField(name: .setCookie, value: "PD-S-SESSION-ID=; Path=/; Max-Age=0")
      response.head.headerFields.append(gone)
    }
    return response
  }

  private static func form(_ state: inout State, error: String = "") -> TransportResponse {
    state.serial += 1
    state.tokens.insert("k\(state.serial)")
    return .html(
      """
      <HTML><TITLE>Access Manager Login</TITLE><BODY><B>\(error)</B>
      <FORM METHOD=POST ACTION="/pkmslogin.form?token=k\(state.serial)">
      Username: <INPUT NAME="username" SIZE="15"> Password: <INPUT TYPE="password" NAME="password" SIZE="15">
      <INPUT TYPE="HIDDEN" NAME="login-form-type" VALUE="pwd"><INPUT TYPE="SUBMIT" VALUE="Login"></FORM></BODY></HTML>
      """)
  }

  private static func login(_ request: TransportRequest, _ state: inout State) -> TransportResponse {
    state.posts += 1
    let token = (request.head.path ?? "").split(separator: "=").last.map(String.init) ?? ""
    guard state.tokens.remove(token) != nil, state.tokensToRefuse == 0 else {
      state.tokensToRefuse = max(0, state.tokensToRefuse - 1)
      return .html("<TITLE>Bad Request</TITLE><P>The request was rejected.", status: .badRequest)
    }
    let body = String(decoding: request.body ?? Data(), as: UTF8.self)
    let lockedPage = TransportResponse.html(
      "<TITLE>Account locked</TITLE><P>This account has been temporarily locked out or disabled.")
    guard state.failures < 2 else { return lockedPage }
    guard body == "username=ann&password=right&login-form-type=pwd" else {
      state.failures += 1
      if state.failures == 2, !state.locksLate { return lockedPage }
      return form(&state, error: "Login failed. You have used an invalid user name, password or client certificate.")
    }
    state.failures = 0
    state.serial += 1
    state.logins += 1
    let session = "PD-S-SESSION-ID=s\(state.serial)"
    state.sessions.insert(session)
    var response = TransportResponse.status(.found, headerFields: [.setCookie: "\(session); Path=/; Secure; HttpOnly"])
    response.head.headerFields[.location] = state.cached ?? "/"
    return response
  }
}
