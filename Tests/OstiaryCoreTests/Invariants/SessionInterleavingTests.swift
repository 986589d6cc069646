import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariants 1, 4 and 5: whatever the order of steps, for whoever else is there")
struct SessionInterleavingTests {
  private func world(
    seed: UInt64
  ) -> (scheduler: SeededScheduler, store: FaultyStore, fixture: ManagerFixture) {
    let scheduler = SeededScheduler(seed: seed)
    let store = FaultyStore(checkpoint: scheduler.checkpoint)
    return (scheduler, store, ManagerFixture(store: store, checkpoint: scheduler.checkpoint))
  }

  /// Whose session a program that starts now finds.
  private func found(by fixture: ManagerFixture) async -> String? {
    let next = fixture.manager()
    _ = await next.restore()
    return next.current?.user.id
  }

  /// Waits until the server knows of no session but those of `users`: late ones are ended by a task of their own.
  private func onlySignedIn(_ users: [String], at server: ScriptedServer) async -> Bool {
    try? await waitUntil("the sessions of \(users)", within: .seconds(30)) { server.signedInUsers == users }
    return server.signedInUsers == users
  }

  @Test(
    "Invariant 5: a verification never outlives a sign-out, whether its session was good, stale or over",
    arguments: Storm.seeds(150, full: 1_500))
  func signOutDuringVerification(seed: UInt64) async throws {
    let (scheduler, store, fixture) = world(seed: seed)
    // The sign-out waits for a write under way.
    let manager = fixture.manager { $0.storePatience = .seconds(15) }
    try await manager.signIn(with: ManagerFixture.ann)
    if seed % 3 == 1 { fixture.server.expireAccessTokens() }
    if seed % 3 == 2 { fixture.server.dropSessions() }
    let answer = Locked<SessionStatus?>(nil)
    try await scheduler.run([
      "verification": {
        let status = await manager.verify()
        answer.withLock { $0 = status }
      },
      "user": { await manager.signOut() },
    ])
    #expect(manager.current == nil, "\(scheduler)")
    #expect(manager.status.cause == .requestedByApp || seed % 3 == 2, "\(scheduler)")
    #expect(manager.status.cause != nil, "\(scheduler)")
    #expect(try await !store.holdsSession(for: manager.key), "\(scheduler)")
    #expect(fixture.recorder.count(.signedOut) == 1, "\(scheduler)")
    #expect(fixture.server.counts.signIns == 1, "asking is not signing in: \(scheduler)")
    #expect(fixture.server.counts.reusedRenewalTokens == 0, "\(scheduler)")
    // A stale token can't end a session at this server; the caller that has renewed it must end it with the newer one.
    if seed % 3 != 1 || fixture.server.counts.renewals > 0 {
      #expect(await onlySignedIn([], at: fixture.server), "\(scheduler)")
    }
    if case .unknown(let error)? = answer.withLock({ $0 }) { Issue.record("\(error): \(scheduler)") }
  }

  @Test(
    "Invariant 1: of two users who sign in at once in two processes one is signed in, and both processes know who",
    arguments: Storm.seeds(150, full: 1_500))
  func twoSignIns(seed: UInt64) async throws {
    let (scheduler, _, fixture) = world(seed: seed)
    let here = fixture.manager()
    let there = fixture.manager()
    let outcomes = Locked<[String: String]>([:])
    try await scheduler.run([
      "here": {
        let error = await failure { try await here.signIn(with: ManagerFixture.ann) }
        outcomes.withLock { $0["ann"] = error?.code.rawValue ?? "ok" }
      },
      "there": {
        let error = await failure { try await there.signIn(with: ManagerFixture.ben) }
        outcomes.withLock { $0["ben"] = error?.code.rawValue ?? "ok" }
      },
    ])
    let said = outcomes.withLock { $0 }
    #expect(said.values.sorted() == ["already_signed_in", "ok"], "\(scheduler)")
    let winner = said.first { $0.value == "ok" }?.key
    #expect(fixture.server.counts.signIns == 1, "\(scheduler)")
    #expect(here.current?.user.id == winner, "\(scheduler)")
    #expect(here.current == there.current, "\(scheduler)")
    #expect(await found(by: fixture) == winner, "\(scheduler)")
  }

  @Test(
    "Invariant 5: a renewal here never brings back a user whom another process has signed out for the next one",
    arguments: Storm.seeds(200, full: 2_000))
  func nextUserElsewhere(seed: UInt64) async throws {
    let (scheduler, store, fixture) = world(seed: seed)
    let here = fixture.manager()
    let there = fixture.manager()
    try await here.signIn(with: ManagerFixture.ann)
    _ = await there.restore()
    fixture.server.expireAccessTokens()
    let http = AuthenticatedTransport(here)
    try await scheduler.run([
      "here": { _ = await failure { try await http.send(ManagerFixture.request()) } },
      "there": {
        await there.signOut()
        await scheduler.checkpoint("between users")
        try await there.signIn(with: ManagerFixture.ben)
      },
    ])
    #expect(fixture.server.executed(for: "ben") == 0, "what was made for Ann is not done as Ben: \(scheduler)")
    #expect(there.current?.user.id == "ben", "\(scheduler)")
    #expect(await found(by: fixture) == "ben", "\(scheduler)")
    guard case .present = await store.load(here.key) else {
      Issue.record("Ben's session is gone: \(scheduler)")
      return
    }
    // A stale token can't end a session at this server; the caller that has renewed it must end it with the newer one.
    if fixture.server.counts.renewals > 0 {
      #expect(await onlySignedIn(["ben"], at: fixture.server), "\(scheduler)")
    }
    // What is left of Ann's session here gives way to Ben's, if not with the next request then with the one after it.
    _ = await failure { try await http.send(ManagerFixture.request()) }
    #expect(try await http.send(ManagerFixture.request()).status == .ok, "\(scheduler)")
    #expect(here.current == there.current, "\(scheduler)")
    #expect(fixture.server.counts.reusedRenewalTokens == 0, "\(scheduler)")
  }

  @Test(
    "Invariant 4: a cookie that arrives during a renewal costs no renewal, and what is stored is what is known",
    arguments: Storm.seeds(200, full: 2_000))
  func cookieDuringRenewal(seed: UInt64) async throws {
    let scheduler = SeededScheduler(seed: seed)
    let store = FaultyStore(checkpoint: scheduler.checkpoint)
    let server = RollingServer()
    let transport = ScriptedTransport {
      server.respond(to: $0)
    } checkpoint: {
      await scheduler.checkpoint($0)
    }
    let clock = ManualClock()
    let manager = SessionManager(
      authenticator: RollingAuthenticator(), transport: transport, store: store, clock: clock)
    try await manager.signIn(with: ManagerFixture.ann)
    server.expire()
    let http = AuthenticatedTransport(manager)
    try await scheduler.run([
      "renewal": { _ = try await http.send(ManagerFixture.request()) },
      "cookie": { _ = try await http.send(ManagerFixture.request("/tag")) },
    ])
    #expect(server.refusedRenewals == 0, "\(scheduler)")
    #expect(try await http.send(ManagerFixture.request()).status == .ok, "\(scheduler)")
    #expect(transport.count(.post, "/renew") == 1, "\(scheduler)")
    try await manager.flush()
    let next = SessionManager(
      authenticator: RollingAuthenticator(), transport: transport, store: store, clock: clock)
    _ = await next.restore()
    #expect(next.current == manager.current, "what is stored is what is known: \(scheduler)")
  }
}
