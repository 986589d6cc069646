import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariants 10 and 11: redirects of requests with a session", .timeLimit(.minutes(20)))
struct RedirectedRequestTests {
  @Test("A POST that the server acted on and redirected away from is not sent again when the next address refuses")
  func actedOn() async throws {
    let world = CookieWorld()
    let manager = world.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    world.answer(.post, "/orders", status: .seeOther, to: "/receipt")
    world.answer(.get, "/receipt")
    world.transport.inject(.status(.unauthorized), into: .get("/receipt"), at: .nth(1))
    let error = await failure {
      try await AuthenticatedTransport(manager).send(ManagerFixture.request("/orders", method: .post))
    }
    #expect(error?.code == .replayUnsafe)
    #expect(world.requests("/orders").count == 1)
    #expect(manager.status.isSignedIn)
  }

  @Test("A POST that was only sent elsewhere by a 307 is repeated, for it was not acted on")
  func passedOn() async throws {
    let world = CookieWorld()
    let manager = world.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    world.answer(.post, "/orders", status: .temporaryRedirect, to: "/orders2")
    world.answer(.post, "/orders2")
    world.transport.inject(.status(.unauthorized), into: .post("/orders2"), at: .nth(1))
    var request = ManagerFixture.request("/orders", method: .post)
    request.body = Data("payload".utf8)
    #expect(try await AuthenticatedTransport(manager).send(request).status == .ok)
    #expect(world.requests("/orders2").count == 2)
    #expect(world.transport.requests.filter { $0.head.path == "/orders2" }.allSatisfy { $0.body == request.body })
  }

  @Test(
    "No cookie of the session follows a redirect to another origin, and none is taken from there",
    arguments: ["https://sub.scripted.example", "https://scripted.example:8443", "https://other.example"])
  func cookies(origin: String) async throws {
    let world = CookieWorld()
    let manager = world.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    world.answer(.get, "/away", status: .found, to: "\(origin)/there")
    world.answer(.get, "/there", with: "sid=planted; Path=/; Domain=scripted.example", "x=y; Path=/")
    var request = ManagerFixture.request("/away")
    request.head.headerFields[.cookie] = "own=1"
    request.head.headerFields[.authorization] = "Basic b3du"
    #expect(try await AuthenticatedTransport(manager).send(request).status == .ok)
    #expect(world.requests("/away").first?.headerFields[.cookie] == "own=1; sid=one")
    let there = try #require(world.requests("/there").first)
    #expect(there.headerFields[.cookie] == nil)
    #expect(there.headerFields[.authorization] == nil)
    #expect(CookieWorld.cookie("sid", of: manager.current) == "one")
    #expect(manager.current?.proof.cookies.count == 1)
  }

  @Test("Redirected within its origins, a request carries the session, and cookies that come on the way are taken")
  func within() async throws {
    let world = CookieWorld(origins: ["https://node.scripted.example"])
    let manager = world.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    world.answer(
      .get, "/here", status: .found, to: "https://node.scripted.example/there",
      with: "sid=two; Path=/; Domain=scripted.example")
    world.answer(.get, "/there")
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request("/here")).status == .ok)
    #expect(world.requests("/there").first?.headerFields[.cookie] == "sid=two")
  }
}

@Suite("Sessions with more origins than the server's own", .timeLimit(.minutes(20)))
struct OriginsTests {
  private let node = TransportRequest(
    HTTPRequest(method: .get, scheme: "https", authority: "node.scripted.example", path: "/things"))

  @Test("A request to one of them gets the proof also when the session has not been read yet")
  func unread() async throws {
    let world = CookieWorld(origins: ["https://node.scripted.example"])
    try await world.manager().signIn(with: ManagerFixture.ann)
    _ = try await AuthenticatedTransport(world.manager()).send(node)
    #expect(world.requests("/things").map { $0.headerFields[.cookie] } == ["sid=one"])
  }

  @Test("While the session is being renewed a request to one of them waits, too")
  func renewing() async throws {
    let world = CookieWorld(origins: ["https://node.scripted.example"])
    let manager = world.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    let gate = Gate()
    world.transport.inject(.hold(gate), into: .post("/renew"))
    world.transport.inject(.status(.unauthorized), into: .get("/things"), at: .nth(1))
    let http = AuthenticatedTransport(manager)
    let first = Task { try await http.send(node).status }
    try await gate.waitForArrivals(1)
    let second = Task { try await http.send(node).status }
    // Had it not waited it would be there now, and without the new cookie.
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    #expect(try await first.value == .ok)
    #expect(try await second.value == .ok)
    #expect(world.requests("/things").map { $0.headerFields[.cookie] } == ["sid=one", "sid=renewed", "sid=renewed"])
  }
}
