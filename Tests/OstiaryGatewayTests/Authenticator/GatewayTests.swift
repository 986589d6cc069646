import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import TestSupport
import Testing

@Suite("A form gateway in each of its variants")
struct GatewayTests {
  static let variants = FormGateway.Demand.allCases.flatMap { demand in
    FormGateway.Success.allCases.map { (demand, $0) }
  }

  @Test("Gateway-G1: a challenge of each shape is answered, and the request executed once", arguments: variants)
  func signsIn(_ demand: FormGateway.Demand, _ success: FormGateway.Success) async throws {
    let gateway = FormGateway(demand, success: success)
    let manager = try gateway.manager()
    let http = AuthenticatedTransport(manager)
    var request = FormGateway.request("/api/things?a=1&b=2", method: .post)
    request.body = Data("body".utf8)
    #expect(try await http.send(request).status == .ok)
    #expect(gateway.posts == 1)
    #expect(gateway.executed == ["POST /api/things?a=1&b=2"])
    #expect(gateway.transport.requests.last?.body == Data("body".utf8))
    #expect(manager.current?.user.id == "ann")
    #expect(gateway.recorder.events.map(\.cause) == [.challenged])
  }

  @Test("Gateway-G1: streams are challenged, too", arguments: FormGateway.Demand.allCases)
  func streams(_ demand: FormGateway.Demand) async throws {
    let gateway = FormGateway(demand)
    let response = try await AuthenticatedTransport(try gateway.manager()).stream(FormGateway.request())
    #expect(try await response.body.collect(upTo: 100).count > 0)
    #expect(gateway.posts == 1)
    #expect(gateway.executed.count == 1)
  }

  @Test(
    "Gateway-G2: 1,000 requests at once, the session expiring in their middle: one form each time, all answered",
    arguments: FormGateway.Demand.allCases)
  func thousand(_ demand: FormGateway.Demand) async throws {
    let gateway = FormGateway(demand)
    try await storm(1_000, on: gateway, over: gateway.transport)
  }

  @Test(
    "Gateway-G2: hundreds of requests over real HTTP, the session expiring in their middle",
    arguments: FormGateway.Demand.allCases)
  func hundreds(_ demand: FormGateway.Demand) async throws {
    let (gateway, server) = try FormGateway.overHTTP(demand)
    defer { server.stop() }
    try await storm(400, on: gateway, over: PlatformTransport())
  }

  /// Sends so many requests at once; the gateway ends the session when half of them have been executed.
  private func storm(_ count: Int, on gateway: FormGateway, over transport: any Transport) async throws {
    gateway.state.withLock { $0.expiresAfter = count / 2 }
    let http = AuthenticatedTransport(try gateway.manager(transport: transport))
    let failures = await withTaskGroup(of: String?.self) { group in
      for number in 0..<count {
        group.addTask {
          let method: HTTPRequest.Method = number.isMultiple(of: 2) ? .get : .post
          do {
            let response = try await http.send(gateway.request("/api/\(number)", method: method))
            return response.status == .ok && response.text.contains("hello") ? nil : "\(number): \(response.status)"
          } catch {
            return "\(number): \(error)"
          }
        }
      }
      return await group.reduce(into: []) { failures, failure in if let failure { failures.append(failure) } }
    }
    #expect(failures.isEmpty)
    #expect(gateway.posts == 2)
    #expect(gateway.executed.count == count)
    #expect(Set(gateway.executed).count == count)
  }

  @Test(
    "Gateway-G3: a challenge that arrives after the sign-in is answered by it", arguments: FormGateway.Demand.allCases)
  func late(_ demand: FormGateway.Demand) async throws {
    let gateway = FormGateway(demand)
    let gate = Gate()
    gateway.transport.inject(.holdResponse(gate), into: .path("/api/late"), at: .nth(1))
    let http = AuthenticatedTransport(try gateway.manager())
    let late = Task { try await http.send(FormGateway.request("/api/late")).status }
    try await gate.waitForArrivals()
    #expect(try await http.send(FormGateway.request()).status == .ok)
    gate.open()
    #expect(try await late.value == .ok)
    #expect(gateway.posts == 1)
  }

  @Test(
    "Gateway-G2: a session that is over before the first word of it being good is heard is renewed as any other",
    arguments: FormGateway.Demand.allCases)
  func overUnheard(_ demand: FormGateway.Demand) async throws {
    let gateway = FormGateway(demand)
    gateway.state.withLock { $0.expiresAfter = 1 }
    let executed = Gate()
    let challenged = Gate()
    gateway.transport.inject(.holdResponse(executed), into: .path("/api/first"), at: .nth(2))
    gateway.transport.inject(.holdResponse(challenged), into: .path("/api/second"), at: .nth(1))
    let http = AuthenticatedTransport(try gateway.manager())
    let second = Task { try await http.send(FormGateway.request("/api/second", method: .post)).status }
    try await challenged.waitForArrivals()
    let first = Task { try await http.send(FormGateway.request("/api/first")).status }
    try await executed.waitForArrivals()
    challenged.open()
    #expect(try await second.value == .ok)
    executed.open()
    #expect(try await first.value == .ok)
    #expect(gateway.posts == 2)
    #expect(gateway.executed == ["GET /api/first", "POST /api/second"])
  }

  @Test("Gateway-G3: the same by way of a redirect that only its page gives away, fetched with the new session")
  func lateRedirect() async throws {
    let gateway = FormGateway(.redirect)
    gateway.state.withLock { $0.forgetsOriginal = true }
    let gate = Gate()
    gateway.transport.inject(.holdResponse(gate), into: .path("/api/late"), at: .nth(1))
    let manager = try gateway.manager()
    let http = AuthenticatedTransport(manager)
    let late = Task { try await http.send(FormGateway.request("/api/late")).status }
    try await gate.waitForArrivals()
    #expect(try await http.send(FormGateway.request()).status == .ok)
    gate.open()
    #expect(try await late.value == .ok)
    #expect(gateway.posts == 1)
    #expect(gateway.recorder.kinds == [.signedIn])
  }

  @Test("Invariant 10: a POST that was redirected to an address that nobody named may have been executed")
  func unnamedRedirect() async throws {
    let gateway = FormGateway(.redirect, success: .redirectToPage)
    gateway.state.withLock { $0.forgetsOriginal = true }
    let post = FormGateway.request(method: .post)
    let error = await failure { try await AuthenticatedTransport(try gateway.manager()).send(post) }
    #expect(error?.code == .replayUnsafe)
    #expect(gateway.executed.isEmpty)
    var login = try gateway.login()
    login.loginPage = URL(string: "https://gate.example/login")
    let manager = try gateway.manager(.upFront(FormGateway.password), try gateway.authenticator(login))
    #expect(try await AuthenticatedTransport(manager).send(post).status == .ok)
    #expect(gateway.executed == ["POST /api/things"])
  }

  @Test("A password that is typed anew is tried where the first was asked for")
  func typedAnew() async throws {
    let gateway = FormGateway()
    // The server's own address is open to every client.
    gateway.transport.on(.get, "/api") { _ in .json([:]) }
    let count = Locked(0)
    let manager = try gateway.manager(
      .onRequest { _ in
        let attempt = count.withLock { count in
          count += 1
          return count
        }
        return attempt == 1 ? .password(username: "ann", password: "wrong") : FormGateway.password
      })
    #expect(try await AuthenticatedTransport(manager).send(FormGateway.request()).status == .ok)
    #expect(count.withLock { $0 } == 2)
  }

  @Test("Gateway-G7: a form that is not answered in time is a time-out, told once, and says nothing of the password")
  func timeout() async throws {
    let gateway = FormGateway()
    gateway.transport.inject(.hang, into: .post("/login"), at: .nth(1))
    let http = AuthenticatedTransport(try gateway.manager())
    let first = Task { await failure { try await http.send(FormGateway.request()) } }
    try await gateway.clock.waitForSleepers()
    gateway.clock.advance(by: .seconds(600))
    let error = await first.value
    #expect(error?.code == .timedOut)
    #expect(error?.isTransient == true)
    gateway.clock.advance(by: .seconds(600))
    #expect(try await http.send(FormGateway.request()).status == .ok)
    #expect(gateway.posts == 1)
    #expect(gateway.executed.count == 1)
  }

  @Test(
    "Gateway-G8: a wrong password is told to the source, which may give another", arguments: FormGateway.Demand.allCases
  )
  func wrongPassword(_ demand: FormGateway.Demand) async throws {
    let gateway = FormGateway(demand)
    let errors = Locked<[OstiaryError.Code?]>([])
    let manager = try gateway.manager(
      .onRequest { request in
        let attempt = errors.withLock { errors in
          errors.append(request.previousError?.code)
          return errors.count
        }
        return attempt == 1 ? .password(username: "ann", password: "wrong") : FormGateway.password
      })
    #expect(try await AuthenticatedTransport(manager).send(FormGateway.request()).status == .ok)
    #expect(errors.withLock { $0 } == [nil, .invalidCredentials])
    #expect(gateway.posts == 2)
  }

  @Test("Gateway-G8: an account that is locked, told by a 200, is final and asked about once")
  func locked() async throws {
    let gateway = FormGateway()
    gateway.state.withLock { $0.isLocked = true }
    let http = AuthenticatedTransport(try gateway.manager())
    let error = await failure { try await http.send(FormGateway.request()) }
    #expect(error?.code == .accountLocked)
    #expect(error?.disposition == .terminal)
    #expect(gateway.posts == 1)
  }

  @Test("Gateway-G10: a gateway that asks again and again ends in an error that says so")
  func loop() async throws {
    let gateway = FormGateway()
    gateway.transport.on(.post, "/login") { _ in
      .status(.found, headerFields: [.location: "/api/things", .setCookie: "gw=useless"])
    }
    let http = AuthenticatedTransport(try gateway.manager())
    for _ in 0..<6 {
      let error = await failure { try await http.send(FormGateway.request()) }
      #expect(error?.code == .challengedAgain)
    }
    #expect(gateway.transport.count(.post, "/login") == 3)
  }

  @Test("Gateway-G11: what is sent again is what was sent, with the new proof in place of the old")
  func fidelity() async throws {
    let gateway = FormGateway()
    let http = AuthenticatedTransport(try gateway.manager())
    _ = try await http.send(FormGateway.request())
    gateway.expire()
    var request = FormGateway.request("/api/x?q=%20%2B", method: .put)
    request.body = Data([0, 1, 254, 255])
    request.head.headerFields[.contentType] = "application/octet-stream"
    request.head.headerFields[.init("X-Own") ?? .accept] = "1"
    _ = try await http.send(request)
    let sent = gateway.transport.requests.filter { $0.head.path == "/api/x?q=%20%2B" }
    #expect(sent.count == 2)
    var fields = sent.map(\.head.headerFields)
    #expect(fields[0][.cookie]?.contains("gw=") == true)
    #expect(fields[1][.cookie]?.contains("gw=") == true)
    #expect(fields[0][.cookie] != fields[1][.cookie])
    fields[0][.cookie] = nil
    fields[1][.cookie] = nil
    #expect(fields[0] == fields[1])
    #expect(sent[0].body == sent[1].body)
  }

  @Test("Gateway-G12: cookies of redirects are kept, deleted ones are gone, and redirects have an end")
  func cookies() async throws {
    let gateway = FormGateway(.redirect, success: .redirectToPage)
    let manager = try gateway.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.send(FormGateway.request())
    gateway.expire()
    _ = try await http.send(FormGateway.request())
    let posts = gateway.transport.requests.filter { $0.head.method == .post }
    #expect(posts.count == 2)
    #expect(posts.allSatisfy { $0.head.headerFields[.cookie]?.contains("gw=") == false })
    let names = manager.current?.proof.cookies.cookies.map(\.name)
    #expect(names == ["pre", "gw"])
    gateway.expire()
    gateway.transport.on(.get, "/login") { _ in .status(.found, headerFields: [.location: "/login"]) }
    #expect(await failure { try await http.send(FormGateway.request()) }?.code == .tooManyRedirects)
    #expect(!gateway.recorder.kinds.contains(.signedOut))
  }

  @Test("Gateway-G13: the session is there after a restart, and ends at the gateway when the user signs out")
  func restart() async throws {
    let gateway = FormGateway()
    let store = EphemeralStore()
    _ = try await AuthenticatedTransport(try gateway.manager(store: store)).send(FormGateway.request())
    let next = try gateway.manager(store: store)
    _ = try await AuthenticatedTransport(next).send(FormGateway.request())
    #expect(gateway.posts == 1)
    #expect(await next.signOut().isComplete)
    #expect(gateway.state.withLock { $0.sessions.isEmpty })
    let report = await next.signOut()
    #expect(report.isComplete)
  }

  @Test("Gateway-G14: a renewal and a sign-out of an inner session are challenged, too, and answered")
  func innerRequests() async throws {
    let gateway = FormGateway()
    let outer = try gateway.manager()
    let inner = SessionManager(
      authenticator: InnerClient(), transport: AuthenticatedTransport(outer),
      credentials: .upFront(.password(username: "in", password: "ner")), clock: gateway.clock)
    let http = AuthenticatedTransport(inner)
    #expect(try await http.send(FormGateway.request()).status == .ok)
    gateway.expire()
    gateway.clock.advance(by: .seconds(700))
    #expect(try await http.send(FormGateway.request()).status == .ok)
    #expect(gateway.posts == 2)
    gateway.expire()
    #expect(await inner.signOut().isComplete)
    #expect(gateway.posts == 3)
    #expect(outer.status.isSignedIn)
  }

  @Test("Signing in by the app itself goes to the server to be challenged; a gateway that does not ask is told")
  func byTheApp() async throws {
    let gateway = FormGateway(.redirect)
    let manager = try gateway.manager(.manual)
    #expect(try await manager.signIn(with: FormGateway.password).user.id == "ann")
    let open = FormGateway()
    open.transport.on(.get, "/api") { _ in .json([:]) }
    let error = await failure { try await open.manager(.manual).signIn(with: FormGateway.password) }
    #expect(error?.code == .notChallenged)
  }

  @Test("Cookies from elsewhere are checked before they are believed")
  func proof() async throws {
    let gateway = FormGateway()
    var jar = CookieJar()
    let here = FormGateway.request().head
    _ = jar.store("gw=77; Path=/; Secure", from: here, now: gateway.clock.now)
    let manager = try gateway.manager(.manual)
    let refused = await failure { try await manager.signIn(with: .proof(Proof(cookies: jar))) }
    #expect(refused?.code == .invalidCredentials)
    _ = gateway.state.withLock { $0.sessions.insert("gw=77") }
    _ = try await manager.signIn(with: .proof(Proof(cookies: jar)))
    #expect(manager.status.isSignedIn)
  }

  @Test("Verifying tells a session that is over from a gateway that can't tell")
  func verifying() async throws {
    let gateway = FormGateway()
    let manager = try gateway.manager()
    _ = try await AuthenticatedTransport(manager).send(FormGateway.request())
    #expect(await manager.verify().isSignedIn)
    gateway.transport.inject(.status(.serviceUnavailable), into: .get("/api"), at: .nth(1))
    guard case .unknown(let error) = await manager.verify() else { return #expect(Bool(false)) }
    #expect(error.code == .serverUnavailable)
    gateway.expire()
    #expect(!(await manager.verify().isSignedIn))
  }
}

/// A session behind a gateway: one token, renewed after ten minutes.
struct InnerClient: Authenticator {
  let kind = AuthenticatorKind("inner")
  let server = FormGateway.server

  private func call(_ path: String, _ context: AuthenticationContext) async throws -> SessionGrant {
    let request = try TransportRequest.post(server.appending(path: path), body: Data(), contentType: "text/plain")
    let response = try await context.transport.send(request)
    guard response.text.contains("hello") else {
      throw OstiaryError(.unexpectedResponse, "Not from the server.", request: request.head)
    }
    return SessionGrant(
      user: .init(id: "in"), proof: Proof(tokens: ["t": "1"]), expiresAt: context.clock.now.addingTimeInterval(600))
  }
  func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    try await call("sign-in", context)
  }
  func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
    .renewed(try await call("renew", context))
  }
  func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    .valid(attributes: nil)
  }
  func end(_ session: Session, in context: AuthenticationContext) async throws { _ = try await call("end", context) }
  func attachment(for session: Session) -> ProofAttachment {
    ProofAttachment(origins: origins, fields: [HTTPField(name: .authorization, value: "Inner 1")])
  }
  func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict { .accepted }
}
