import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 5: the generation rules")
struct GenerationTests {
  @Test("A renewal that ends after sign-out brings nothing back, in memory or in the store")
  func signOutDuringRenewal() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    let gate = Gate()
    fixture.transport.inject(.holdResponse(gate), into: .post("/renew"))
    let http = AuthenticatedTransport(manager)
    let request = Task { await failure { try await http.send(ManagerFixture.request()) }?.code }
    try await gate.waitForArrivals(1)
    await manager.signOut()
    #expect(await request.value == .signedOut)
    gate.open()
    #expect(manager.current == nil)
    #expect(try await !fixture.store.holdsSession(for: manager.key))
  }

  @Test("The next user's session is untouched by the end of the last one's renewal")
  func nextUser() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    let gate = Gate()
    fixture.transport.inject(.holdResponse(gate), into: .post("/renew"))
    let http = AuthenticatedTransport(manager)
    let request = Task { await failure { try await http.send(ManagerFixture.request()) }?.code }
    try await gate.waitForArrivals(1)
    await manager.signOut()
    let ben = try await manager.signIn(with: ManagerFixture.ben)
    gate.open()
    #expect(await request.value == .signedOut)
    #expect(manager.current == ben)
    #expect(try await http.send(ManagerFixture.request()).status == .ok)
    #expect(fixture.server.executed(for: "ben") == 1)
    #expect(fixture.server.executed(for: "ann") == 0)
  }

  @Test("A request made for one user is not repeated for the next")
  func notForAnother() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    let gate = Gate()
    fixture.transport.inject(.holdResponse(gate), into: .get("/things"), at: .nth(1))
    let http = AuthenticatedTransport(manager)
    let request = Task { await failure { try await http.send(ManagerFixture.request()) }?.code }
    try await gate.waitForArrivals(1)
    await manager.signOut()
    try await manager.signIn(with: ManagerFixture.ben)
    gate.open()
    #expect(await request.value == .signedOut)
    #expect(fixture.server.executed(for: "ben") == 0)
  }

  @Test("A sign-out in another process is not undone here: the session ends with that cause")
  func signedOutElsewhere() async throws {
    let fixture = ManagerFixture(renews: false)
    let first = fixture.manager(.upFront(ManagerFixture.ann))
    _ = try await first.session()
    let second = fixture.manager()
    await second.signOut()
    let error = await failure { try await AuthenticatedTransport(first).send(ManagerFixture.request()) }
    #expect(error?.code == .signedOut)
    #expect(first.status.cause == .anotherProcess)
    #expect(await failure { try await first.session() }?.code == .interactionRequired)
    #expect(fixture.server.counts.signIns == 1)
  }

  @Test("Signing out of the old session leaves alone the one that another process made since")
  func notTheNextSession() async throws {
    let fixture = ManagerFixture()
    let first = fixture.manager()
    let second = fixture.manager()
    try await first.signIn(with: ManagerFixture.ann)
    await second.signOut()
    try await second.signIn(with: ManagerFixture.ben)
    await first.signOut()
    #expect(fixture.server.signedInUsers == ["ben"])
    guard case .present = await fixture.store.load(first.key) else {
      Issue.record("the next user's stored session is gone")
      return
    }
    #expect(try await AuthenticatedTransport(second).send(ManagerFixture.request()).status == .ok)
  }
}
