import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 4: write first")
struct WriteFirstTests {
  @Test("No waiter sees a new session before it is in the store")
  func signIn() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let gate = Gate()
    store.inject(.hold(gate), into: .save, at: .nth(1))
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    let waiters = (0..<10).map { _ in Task { try await manager.session() } }
    try await gate.waitForArrivals(1)
    #expect(manager.current == nil)
    #expect(!manager.status.isSignedIn)
    gate.open()
    for waiter in waiters { _ = try await waiter.value }
    #expect(store.saved.count == 1)
  }

  @Test("A renewal does not begin when the store can't be written")
  func renewal() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    store.isFull = true
    let http = AuthenticatedTransport(manager)
    #expect(await failure { try await http.send(ManagerFixture.request()) }?.code == .storeUnavailable)
    #expect(fixture.transport.count(.post, "/renew") == 0)
    #expect(manager.status.cause == nil)
    store.isFull = false
    #expect(try await http.send(ManagerFixture.request()).status == .ok)
    #expect(fixture.server.counts.renewals == 1)
  }

  @Test("A proof that can't be written after all is kept, told of, and written as soon as it can be")
  func keepsInMemory() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    // The first write of a renewal only tries whether writing works; the second is the new proof.
    store.inject(.unavailable, into: .save, at: .nth(2))
    let http = AuthenticatedTransport(manager)
    #expect(try await http.send(ManagerFixture.request()).status == .ok)
    #expect(fixture.recorder.kinds == [.signedIn, .rejected, .renewed, .writeDelayed])
    try await fixture.clock.waitForSleepers(1)
    fixture.clock.advance(by: .seconds(1))
    _ = try await fixture.recorder.first(.writeCaughtUp)
    let next = fixture.manager()
    _ = await next.restore()
    #expect(next.current == manager.current)
    #expect(try await AuthenticatedTransport(next).send(ManagerFixture.request()).status == .ok)
    #expect(fixture.server.counts.reusedRenewalTokens == 0)
  }

  @Test("The writer tries again until it succeeds, with growing waits and one timer")
  func writer() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    store.inject(.unavailable, into: .save, at: .first(4))
    try await manager.signIn(with: ManagerFixture.ann)
    for attempt in 2...5 {
      try await fixture.clock.waitForSleepers(1)
      #expect(fixture.clock.sleepers == 1)
      fixture.clock.advance(by: .seconds(16))
      try await store.waitFor(.save, count: attempt)
    }
    _ = try await fixture.recorder.first(.writeCaughtUp)
    #expect(fixture.recorder.count(.writeDelayed) == 1)
  }

  @Test("A response lost after the server rotated is asked for again; the session lives if the server lets it")
  func lostResponse() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    fixture.transport.inject(.dropBeforeServerActs, into: .post("/renew"), at: .nth(1))
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
    #expect(fixture.server.counts.renewals == 1)
  }

  @Test("A proof that is only in memory is written also while the server refuses it and can't be asked")
  func refusedInMemory() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    store.inject(.unavailable, into: .save, at: .nth(2))
    let http = AuthenticatedTransport(manager)
    #expect(try await http.send(ManagerFixture.request()).status == .ok)
    fixture.server.expireAccessTokens()
    fixture.transport.inject(.refuseConnection, into: .post("/renew"))
    #expect(await failure { try await http.send(ManagerFixture.request()) }?.code == .cannotConnect)
    try await manager.flush()
    fixture.transport.setFaults()
    #expect(try await AuthenticatedTransport(fixture.manager()).send(ManagerFixture.request()).status == .ok)
    #expect(fixture.server.counts.reusedRenewalTokens == 0)
  }

  @Test("A renewal does not begin on a session that could not be written at all")
  func neverWritten() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    store.isFull = true
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    let http = AuthenticatedTransport(manager)
    #expect(await failure { try await http.send(ManagerFixture.request()) }?.code == .storeUnavailable)
    #expect(fixture.transport.count(.post, "/renew") == 0)
    store.isFull = false
    #expect(try await http.send(ManagerFixture.request()).status == .ok)
  }
}
