import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Sessions that are cookies", .timeLimit(.minutes(20)))
struct CookieSessionTests {
  /// A server whose session is the cookie `sid`; a cookie `perf` changes with every answer.
  struct CookieAuthenticator: Authenticator {
    let kind = AuthenticatorKind("cookie")
    let server = ScriptedAuthenticator.defaultServer

    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      let request = try TransportRequest.post(
        server.appending(path: "sign-in"), body: Data(), contentType: "text/plain")
      let response = try await context.transport.send(request)
      var jar = CookieJar()
      _ = jar.storeAll(from: response.head, to: request.head, now: context.clock.now)
      return SessionGrant(user: .init(id: "ann"), proof: Proof(cookies: jar))
    }
    func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
      .valid(attributes: nil)
    }
    func end(_ session: Session, in context: AuthenticationContext) async throws {}
    func attachment(for session: Session) -> ProofAttachment {
      ProofAttachment(origins: [Origin(server)].compactMap { $0 }, cookies: session.proof.cookies)
    }
    func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
      response.status == .unauthorized ? .rejected(reason: "401", mayHaveExecuted: false) : .accepted
    }
    func isProof(cookieNamed name: String) -> Bool { name == "sid" }
  }

  private struct World {
    let clock = ManualClock()
    let store = FaultyStore()
    let transport: ScriptedTransport
    let recorder = EventRecorder()
    let manager: SessionManager

    init() {
      transport = ScriptedTransport(clock: clock)
      transport.on(.post, "/sign-in") { _ in
        .status(.ok, headerFields: [.setCookie: "sid=one; Path=/; Secure; HttpOnly"])
      }
      manager = SessionManager(
        authenticator: CookieAuthenticator(), transport: transport, credentials: .upFront(ManagerFixture.ann),
        store: store, clock: clock)
      manager.onEvent { [recorder] in recorder.record($0) }
    }

    /// Lets `path` answer with these cookies.
    func answer(_ path: String, status: HTTPResponse.Status = .ok, with cookies: String...) {
      var fields = HTTPFields()
      fields[values: .setCookie] = cookies
      transport.on(.get, path) { [fields] _ in .status(status, headerFields: fields) }
    }

    func send(_ path: String) async throws -> String? {
      _ = try await AuthenticatedTransport(manager).send(ManagerFixture.request(path))
      return transport.requests.last { $0.head.path == path }?.head.headerFields[.cookie]
    }
  }

  @Test("The session's cookie goes with requests, byte for byte")
  func attached() async throws {
    let world = World()
    world.transport.on(.post, "/sign-in") { _ in
      .status(.ok, headerFields: [.setCookie: "sid=%09%7Bpd%7D==A%7Bapp%7D; Path=/"])
    }
    world.answer("/things")
    #expect(try await world.send("/things") == "sid=%09%7Bpd%7D==A%7Bapp%7D")
  }

  @Test("A cookie that the request has of its own is kept")
  func own() async throws {
    let world = World()
    world.answer("/things")
    var request = ManagerFixture.request()
    request.head.headerFields[.cookie] = "theme=dark"
    _ = try await AuthenticatedTransport(world.manager).send(request)
    #expect(world.transport.requests.last?.head.headerFields[.cookie] == "theme=dark; sid=one")
  }

  @Test("A session cookie that the server changes is durable before the response is handed on")
  func rotated() async throws {
    let world = World()
    world.answer("/rotate", with: "sid=two; Path=/; Secure")
    world.answer("/things")
    _ = try await world.send("/rotate")
    let writes = world.store.count(.save)
    #expect(writes == 2)
    #expect(try await world.send("/things") == "sid=two")
    let next = SessionManager(authenticator: CookieAuthenticator(), transport: world.transport, store: world.store)
    _ = await next.restore()
    #expect(next.current == world.manager.current)
    #expect(world.recorder.events.last?.cause == .refreshedByServer)
    #expect(world.store.count(.save) == writes, "a request that changes nothing writes nothing")
  }

  @Test("Cookies that carry no session are written when there is time, not per response")
  func others() async throws {
    let world = World()
    world.answer("/things", with: "perf=1; Path=/")
    for _ in 0..<10 { _ = try await world.send("/things") }
    #expect(world.store.count(.save) == 1)
    #expect(try await world.send("/things") == "sid=one; perf=1")
    try await world.manager.flush()
    #expect(world.store.count(.save) == 2)
  }

  @Test("The cookies of a refusal are not the session's")
  func refusal() async throws {
    let world = World()
    _ = try await world.manager.session()
    world.answer("/things", status: .unauthorized, with: "sid=guest; Path=/")
    _ = await failure { try await world.send("/things") }
    #expect(world.manager.current?.proof.cookies.cookies.contains { $0.name == "sid" && $0.value == "guest" } != true)
  }

  @Test("A late response of the last sign-in leaves the next one's cookies alone")
  func late() async throws {
    let world = World()
    _ = try await world.manager.session()
    let gate = Gate()
    world.answer("/late", with: "sid=stale; Path=/")
    world.transport.inject(.holdResponse(gate), into: .get("/late"))
    let request = Task { try await world.send("/late") }
    try await gate.waitForArrivals(1)
    await world.manager.signOut()
    try await world.manager.signIn(with: ManagerFixture.ann)
    gate.open()
    _ = try await request.value
    world.answer("/things")
    #expect(try await world.send("/things") == "sid=one")
  }

  @Test("Cookies that a store can't take are kept and written later")
  func full() async throws {
    let world = World()
    _ = try await world.manager.session()
    world.store.isFull = true
    world.answer("/rotate", with: "sid=two; Path=/")
    _ = try await world.send("/rotate")
    #expect(world.recorder.count(.writeDelayed) == 1)
    world.store.isFull = false
    try await world.manager.flush()
    let next = SessionManager(authenticator: CookieAuthenticator(), transport: world.transport, store: world.store)
    _ = await next.restore()
    #expect(next.current == world.manager.current)
  }

  @Test("Responses at once that each change a cookie lose none of the changes")
  func concurrent() async throws {
    let world = World()
    _ = try await world.manager.session()
    for number in 0..<40 { world.answer("/c\(number)", with: "c\(number)=x; Path=/") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 { group.addTask { _ = try await world.send("/c\(number)") } }
      try await group.waitForAll()
    }
    try await world.manager.flush()
    let next = SessionManager(authenticator: CookieAuthenticator(), transport: world.transport, store: world.store)
    _ = await next.restore()
    #expect(next.current?.proof.cookies.count == 41)
  }

  @Test("A new session cookie that arrives after the old one was refused is the session again")
  func newerAfterRefusal() async throws {
    let world = World()
    _ = try await world.manager.session()
    world.answer("/rotate", with: "sid=two; Path=/; Secure")
    world.answer("/things")
    let rotated = Gate()
    let signIn = Gate()
    world.transport.inject(.holdResponse(rotated), into: .get("/rotate"))
    world.transport.inject(.status(.unauthorized), into: .get("/things"), at: .nth(1))
    world.transport.inject(.hold(signIn), into: .post("/sign-in"))
    let manager = SessionManager(
      authenticator: CookieAuthenticator(), transport: world.transport, store: world.store, clock: world.clock)
    let recorder = EventRecorder()
    manager.onEvent { recorder.record($0) }
    let http = AuthenticatedTransport(manager)
    let first = Task { try await http.send(ManagerFixture.request("/rotate")).status }
    try await rotated.waitForArrivals(1)
    // Its session is looked up in the store first; let the newer cookie arrive meanwhile.
    let load = Gate()
    world.store.inject(.hold(load), into: .load, at: .nth(1))
    let second = Task { try await http.send(ManagerFixture.request()).status }
    try await load.waitForArrivals(1)
    rotated.open()
    // It is shown at once; it is written as soon as the store has answered.
    _ = try await recorder.first(.renewed)
    load.open()
    #expect(try await first.value == .ok)
    #expect(try await second.value == .ok)
    #expect(manager.status.isSignedIn)
    #expect(manager.history.allSatisfy { $0.kind != .signedOut })
    #expect(world.transport.requests.last?.head.headerFields[.cookie] == "sid=two")
  }
}
