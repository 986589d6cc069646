import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 5: whatever the order of steps")
struct InterleavingTests {
  /// What a run ends with, besides what each task saw.
  private func world(seed: UInt64) -> (scheduler: SeededScheduler, store: FaultyStore, fixture: ManagerFixture) {
    let scheduler = SeededScheduler(seed: seed)
    let store = FaultyStore(checkpoint: scheduler.checkpoint)
    return (scheduler, store, ManagerFixture(store: store, checkpoint: scheduler.checkpoint))
  }

  @Test("Sign-out and sign-in as somebody else during a renewal", arguments: Storm.seeds(150, full: 1_500))
  func nextUser(seed: UInt64) async throws {
    let (scheduler, _, fixture) = world(seed: seed)
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    let http = AuthenticatedTransport(manager)
    let outcome = Locked<String?>(nil)
    try await scheduler.run([
      "request": {
        let error = await failure { try await http.send(ManagerFixture.request()) }
        outcome.withLock { $0 = error?.code.rawValue ?? "ok" }
      },
      "user": {
        await manager.signOut()
        await scheduler.checkpoint("between users")
        try await manager.signIn(with: ManagerFixture.ben)
      },
    ])
    #expect(manager.current?.user.id == "ben", "\(scheduler)")
    // Made for Ann, the request is either done in her name before she left, or not at all. If it was first sent when
    // Ben was there, it is his.
    let said = outcome.withLock { $0 }
    #expect(["ok", "signed_out", "interaction_required"].contains(said), "\(scheduler)")
    let next = fixture.manager()
    _ = await next.restore()
    #expect(next.current?.user.id == "ben", "\(scheduler)")
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok, "\(scheduler)")
  }

  @Test("Two processes with one store: a renewal here, a sign-out there", arguments: Storm.seeds(150, full: 1_500))
  func twoProcesses(seed: UInt64) async throws {
    let (scheduler, store, fixture) = world(seed: seed)
    let here = fixture.manager()
    let there = fixture.manager()
    try await here.signIn(with: ManagerFixture.ann)
    _ = await there.restore()
    fixture.server.expireAccessTokens()
    let http = AuthenticatedTransport(here)
    try await scheduler.run([
      "here": { _ = await failure { try await http.send(ManagerFixture.request()) } },
      "there": { await there.signOut() },
    ])
    #expect(there.current == nil, "\(scheduler)")
    // The sign-out has the last word in the store, whenever it came.
    #expect(try await !store.holdsSession(for: here.key), "\(scheduler)")
    #expect(fixture.server.counts.reusedRenewalTokens == 0, "\(scheduler)")
  }

  @Test(
    "Two processes renew at once: one renewal, and both have the newest proof", arguments: Storm.seeds(150, full: 1_500)
  )
  func twoRenewals(seed: UInt64) async throws {
    let (scheduler, _, fixture) = world(seed: seed)
    let here = fixture.manager()
    let there = fixture.manager()
    try await here.signIn(with: ManagerFixture.ann)
    _ = await there.restore()
    fixture.server.expireAccessTokens()
    let first = AuthenticatedTransport(here)
    let second = AuthenticatedTransport(there)
    try await scheduler.run([
      "here": { _ = try await first.send(ManagerFixture.request()) },
      "there": { _ = try await second.send(ManagerFixture.request()) },
    ])
    #expect(fixture.server.counts.renewals == 1, "\(scheduler)")
    #expect(fixture.server.counts.reusedRenewalTokens == 0, "\(scheduler)")
    #expect(here.current == there.current, "\(scheduler)")
  }
}
