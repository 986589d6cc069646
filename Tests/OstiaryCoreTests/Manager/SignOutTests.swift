import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("Invariant 6: sign-out always works here")
struct SignOutTests {
  @Test("With the server unreachable the local state goes, and the failure is reported")
  func offline() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    _ = try await manager.session()
    fixture.transport.inject(.refuseConnection)
    let report = await manager.signOut()
    #expect(report.serverError?.code == .cannotConnect)
    #expect(report.storeError == nil)
    #expect(manager.status.cause == .requestedByApp)
    #expect(await fixture.store.load(manager.key) == .absent)
    #expect(fixture.recorder.kinds == [.signedIn, .signedOut, .endNotConfirmed])
    fixture.transport.setFaults()
    #expect(await failure { try await manager.session() }?.code == .interactionRequired, "the credential is gone too")
  }

  @Test("Signing out without having read the store ends what is stored")
  func unread() async throws {
    let fixture = ManagerFixture()
    try await fixture.manager().signIn(with: ManagerFixture.ann)
    #expect(await fixture.manager().signOut().isComplete)
    #expect(fixture.server.signedInUsers == [])
    #expect(fixture.recorder.kinds == [.signedIn, .signedOut])
  }

  @Test("Signing out twice, and without a session, is harmless")
  func twice() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    #expect(await manager.signOut().isComplete)
    try await manager.signIn(with: ManagerFixture.ann)
    async let first = manager.signOut()
    async let second = manager.signOut()
    let reports = await [first, second]
    #expect(reports.filter { !$0.isComplete }.isEmpty)
    #expect(fixture.server.counts.signOuts == 1)
    #expect(fixture.recorder.count(.signedOut) == 1)
  }

  @Test("Whoever waits for a sign-in when the user signs out hears of it at once")
  func waiters() async throws {
    let fixture = ManagerFixture()
    let gate = Gate()
    fixture.transport.inject(.holdResponse(gate), into: .post("/sign-in"))
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    let waiter = Task { await failure { try await manager.session() }?.code }
    try await gate.waitForArrivals(1)
    await manager.signOut()
    #expect(await waiter.value == .signedOut)
    gate.open()
    #expect(manager.current == nil)
    #expect(await fixture.store.load(manager.key) == .absent)
  }

  @Test("A session that another process renewed is ended with its newest proof")
  func renewedElsewhere() async throws {
    let fixture = ManagerFixture()
    let first = fixture.manager()
    try await first.signIn(with: ManagerFixture.ann)
    let second = fixture.manager()
    fixture.server.expireAccessTokens()
    #expect(try await AuthenticatedTransport(second).send(ManagerFixture.request()).status == .ok)
    #expect(await first.signOut().isComplete)
    #expect(fixture.server.signedInUsers == [])
    #expect(await fixture.store.load(first.key) == .absent)
  }
}
