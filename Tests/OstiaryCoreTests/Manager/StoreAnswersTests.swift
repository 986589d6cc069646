import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 7: present, absent and unavailable are three answers", .timeLimit(.minutes(20)))
struct StoreAnswersTests {
  @Test("While the store is locked nobody is signed out, and no event says so; unlocked, the session is there")
  func prewarm() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    try await fixture.manager().signIn(with: ManagerFixture.ann)
    fixture.recorder.clear()
    store.lock()
    let manager = fixture.manager(.upFront(ManagerFixture.ben))
    #expect(await manager.restore().error?.code == .storeUnavailable)
    let error = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    #expect(error?.code == .storeUnavailable)
    #expect(error?.isTransient == true)
    #expect(fixture.recorder.count(.signedOut) == 0)
    #expect(fixture.server.counts.signIns == 1, "nobody signs in over a session that can't be seen")
    store.unlock()
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
    #expect(manager.current?.user.id == "ann")
  }

  @Test("A store that unlocks while callers wait serves them all")
  func waits() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    try await fixture.manager().signIn(with: ManagerFixture.ann)
    store.lock()
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 3, base: .seconds(1)) }
    let callers = (0..<20).map { _ in Task { try await manager.session().user.id } }
    try await fixture.clock.waitForSleepers(1)
    store.unlock()
    fixture.clock.advance(by: .seconds(1))
    for caller in callers { #expect(try await caller.value == "ann") }
  }

  @Test("Signing in while the store can't be read is refused, for it may hold a session")
  func signIn() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    store.lock()
    let manager = fixture.manager()
    #expect(await failure { try await manager.signIn(with: ManagerFixture.ann) }?.code == .storeUnavailable)
    #expect(fixture.transport.count == 0)
    #expect(manager.status.error?.code == .storeUnavailable)
  }

  @Test(
    "Invariant 14: stored bytes that are no session are reported once and replaced by the next sign-in",
    arguments: [
      "", "{", "[]", "null", #"{"format":1}"#, #"{"format":99,"session":{}}"#, "\u{0}\u{1}", "{\"format\":1e999}",
    ])
  func garbage(text: String) async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await fixture.store.save(Data(text.utf8), for: manager.key, replacing: .anything)
    #expect(await manager.restore().cause == .neverSignedIn)
    #expect(fixture.recorder.events.map(\.cause) == [.storeCorrupt])
    try await manager.signIn(with: ManagerFixture.ann)
    #expect(await fixture.manager().restore().isSignedIn)
  }

  @Test("A store that says its content is damaged is told of, and then empty")
  func corrupt() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    try await fixture.manager().signIn(with: ManagerFixture.ann)
    store.inject(.corrupt, into: .load, at: .nth(1))
    let manager = fixture.manager()
    _ = await manager.restore()
    #expect(fixture.recorder.events.contains { $0.cause == .storeCorrupt })
    #expect(fixture.recorder.count(.signedOut) == 0)
  }

  @Test("Signing out of a locked store works here, is reported, and is finished when the store opens")
  func signOut() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    try await manager.signIn(with: ManagerFixture.ann)
    store.inject(.unavailable, into: .end)
    let report = await manager.signOut()
    #expect(report.storeError?.code == .storeUnavailable)
    #expect(report.serverError == nil)
    #expect(manager.current == nil)
    #expect(
      await failure { try await manager.session() }?.code == .interactionRequired, "what is stored is not believed")
    store.heal()
    try await manager.flush()
    #expect(try await !store.holdsSession(for: manager.key))
  }

  @Test("After signing out of a locked store somebody else can sign in, and the old session does not come back")
  func nextAfterLocked() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    store.inject(.unavailable, into: .end)
    await manager.signOut()
    try await manager.signIn(with: ManagerFixture.ben)
    store.heal()
    try await manager.flush()
    #expect(await fixture.manager().restore().isSignedIn)
    #expect(manager.current?.user.id == "ben")
    let next = fixture.manager()
    _ = await next.restore()
    #expect(next.current?.user.id == "ben")
  }

  @Test("A stored session that turns out to be damaged signs nobody out who is signed in")
  func damagedLater() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    store.inject(.corrupt, into: .load, at: .nth(1))
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
    #expect(fixture.recorder.count(.signedOut) == 0)
    let next = fixture.manager()
    _ = await next.restore()
    #expect(next.current == manager.current)
  }

  @Test("Stored bytes that are no session any more sign nobody out who is signed in")
  func garbledLater() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    try await fixture.store.save(Data("{".utf8), for: manager.key, replacing: .anything)
    fixture.server.expireAccessTokens()
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
    #expect(fixture.recorder.count(.signedOut) == 0)
  }

  @Test("While the app is asked for a credential the status is known: nobody is signed in")
  func whileAsking() async throws {
    let fixture = ManagerFixture()
    let gate = Gate()
    let manager = fixture.manager(
      .onRequest { _ in
        try await gate.pass()
        return ManagerFixture.ann
      })
    let request = Task { try await manager.session() }
    try await gate.waitForArrivals(1)
    #expect(manager.status.cause == .neverSignedIn)
    #expect(await manager.restore().cause == .neverSignedIn)
    gate.open()
    _ = try await request.value
  }

  @Test("Store-T2: a store that is locked for the first ten seconds costs no sign-out, no sign-in and no request")
  func lockedAtFirst() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    try await fixture.manager().signIn(with: ManagerFixture.ann)
    store.lock()
    let manager = fixture.manager(.upFront(ManagerFixture.ann)) {
      $0.retry = RetryPolicy()
      $0.storePatience = SessionConfiguration().storePatience
    }
    let http = AuthenticatedTransport(manager)
    let requests = (0..<50).map { _ in Task { try await http.send(ManagerFixture.request()).status } }
    let unlocking = fixture.clock.now.addingTimeInterval(10)
    while fixture.clock.now < unlocking {
      try await fixture.clock.waitForSleepers(1)
      fixture.clock.advance(by: .milliseconds(250))
    }
    store.unlock()
    let moving = Task {
      while !Task.isCancelled {
        try await fixture.clock.waitForSleepers(1)
        fixture.clock.advance(by: .seconds(1))
      }
    }
    for request in requests { #expect(try await request.value == .ok) }
    moving.cancel()
    #expect(fixture.server.counts.signIns == 1)
    #expect(fixture.recorder.count(.signedOut) == 0)
    #expect(fixture.recorder.count(.failed) == 0)
  }
}
