import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import TestSupport
import Testing

/// A gateway may have begun a session whose cookie is on its way when the user signs out.
@Suite("Logins that come too late", .timeLimit(.minutes(20)))
struct LateLoginTests {
  private func signOut(_ gateway: FormGateway, during match: RequestMatch) async throws {
    let manager = try gateway.manager(.manual)
    let gate = Gate()
    gateway.transport.inject(.holdResponse(gate), into: match)
    let caller = Task { await failure { try await manager.signIn(with: FormGateway.password) }?.code }
    try await gate.waitForArrivals(1)
    #expect(await manager.signOut().isComplete)
    #expect(await caller.value == .signedOut)
    gate.open()
    try await manager.flush()
    #expect(manager.current == nil && gateway.recorder.count(.signedIn) == 0)
    #expect(gateway.state.withLock { $0.sessions } == [])
  }

  @Test(
    "Bug-F12: a session that the gateway begins for a form under way at a sign-out is ended there",
    arguments: FormGateway.Success.allCases)
  func form(_ success: FormGateway.Success) async throws {
    let gateway = FormGateway(success: success)
    try await signOut(gateway, during: .post("/login"))
    #expect(gateway.state.withLock { $0.accepted } == 1)
    #expect(gateway.transport.count(.get, "/logout") == 1)
  }

  @Test("Bug-F12: a session is ended that the gateway has begun when where it leads to is on its way")
  func redirect() async throws {
    let gateway = FormGateway(success: .redirectToPage)
    try await signOut(gateway, during: .get("/welcome"))
    #expect(gateway.state.withLock { $0.accepted } == 1)
  }

  @Test("A sign-out while the form is fetched keeps the password here", arguments: ["/api", "/login"])
  func formOnItsWay(_ path: String) async throws {
    let gateway = FormGateway(.redirect)
    try await signOut(gateway, during: .get(path))
    #expect(gateway.posts == 0)
  }

  @Test("No handler is asked for another round after a sign-out")
  func rounds() async throws {
    let gate = Gate()
    let transport = ScriptedTransport { request in
      if request.head.method == .post { try await gate.pass() }
      return TransportResponse(HTTPResponse(status: .ok), body: Data("demand".utf8))
    }
    let rounds = Locked(0)
    let handler = HandlerTests.Handler("h", for: "demand") { _, conversation in
      rounds.withLock { $0 += 1 }
      return .submitted(try await HandlerTests.post(&conversation))
    }
    let manager = SessionManager(
      authenticator: try GatewayAuthenticator(server: FormGateway.server, handlers: [handler]), transport: transport)
    let caller = Task { await failure { try await manager.signIn(with: .byHandler) }?.code }
    try await gate.waitForArrivals(1)
    #expect(await manager.signOut().isComplete)
    #expect(await caller.value == .signedOut)
    gate.open()
    try await manager.flush()
    #expect(rounds.withLock { $0 } == 1)
  }
}
