import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 6: sign-out always works here", .timeLimit(.minutes(20)))
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
    #expect(try await !fixture.store.holdsSession(for: manager.key))
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
    #expect(try await !fixture.store.holdsSession(for: manager.key))
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
    #expect(try await !fixture.store.holdsSession(for: first.key))
  }

  @Test("Signing out while the store can't even be read is finished when it can be")
  func lockedStore() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    try await manager.signIn(with: ManagerFixture.ann)
    store.lock()
    #expect(await manager.signOut().storeError?.code == .storeUnavailable)
    store.unlock()
    try await fixture.clock.waitForSleepers(1)
    try await manager.flush()
    #expect(try await !store.holdsSession(for: manager.key))
  }

  @Test("Signing out before a locked store was read ends what turns out to be stored, here and at the server")
  func lockedAndUnread() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    try await fixture.manager().signIn(with: ManagerFixture.ann)
    store.lock()
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    #expect(await manager.signOut().storeError?.code == .storeUnavailable)
    store.unlock()
    try await manager.flush()
    #expect(try await !store.holdsSession(for: manager.key))
    #expect(fixture.server.signedInUsers == [])
    #expect(manager.lastSignOut?.user == "ann")
    #expect(await failure { try await manager.session() }?.code == .interactionRequired)
  }

  @Test("A session that a request finds in the store after such a sign-out is over, too")
  func lockedAndAsked() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    try await fixture.manager().signIn(with: ManagerFixture.ann)
    store.lock()
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    await manager.signOut()
    store.unlock()
    #expect(await failure { try await manager.session() }?.code == .interactionRequired)
    try await fixture.transport.waitForRequests(1, to: .post, "/sign-out")
    try await manager.signIn(with: ManagerFixture.ben)
    try await manager.flush()
    #expect(manager.current?.user.id == "ben")
    let next = fixture.manager()
    _ = await next.restore()
    #expect(next.current?.user.id == "ben")
  }

  @Test("A sign-in whose write fails after it was done leaves nothing behind when the user signs out meanwhile")
  func writtenAfterAll() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let gate = Gate()
    store.inject(.failsAfterwards, into: .save)
    store.inject(.unavailable, into: .end, at: .nth(1))
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    fixture.transport.inject(.holdResponse(gate), into: .post("/sign-in"))
    let held = Gate()
    store.inject(.hold(held), into: .save)
    let signIn = Task { await failure { try await manager.signIn(with: ManagerFixture.ann) }?.code }
    gate.open()
    try await held.waitForArrivals(1)
    await manager.signOut()
    #expect(await signIn.value == .signedOut)
    held.open()
    _ = try await fixture.recorder.first(.discarded)
    try await manager.flush()
    #expect(try await !store.holdsSession(for: manager.key))
  }

  @Test("A request that waits for somebody's sign-in hears of a sign-out, and asks nobody")
  func waitsForAnother() async throws {
    let fixture = ManagerFixture()
    let asked = Locked(0)
    let manager = fixture.manager(
      .onRequest { _ in
        asked.withLock { $0 += 1 }
        return ManagerFixture.ann
      })
    let gate = Gate()
    fixture.transport.inject(.holdResponse(gate), into: .post("/sign-in"))
    let signIn = Task { await failure { try await manager.signIn(with: ManagerFixture.ben) }?.code }
    try await gate.waitForArrivals(1)
    // It waits for that sign-in before the sign-out comes.
    let request = startAtOnce { await failure { try await manager.session() }?.code }
    for _ in 0..<100 { await Task.yield() }
    await manager.signOut()
    gate.open()
    #expect(await signIn.value == .signedOut)
    #expect(try await request.value == .signedOut)
    #expect(asked.withLock { $0 } == 0)
  }
}
