import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("StepUp: whatever the order of steps", .timeLimit(.minutes(20)))
struct StepUpInterleavingTests {
  private func world(_ seed: UInt64, lifetime: Duration? = nil) -> (SeededScheduler, StepUpWorld) {
    let scheduler = SeededScheduler(seed: seed)
    let store = FaultyStore(checkpoint: scheduler.checkpoint)
    return (scheduler, StepUpWorld(lifetime: lifetime, store: store, checkpoint: scheduler.checkpoint))
  }

  @Test("StepUp-8: requests, a renewal and the user's answer", arguments: Storm.seeds(60, full: 1_000))
  func answers(seed: UInt64) async throws {
    let (scheduler, world) = world(seed)
    let manager = try await world.signedIn()
    let answers: [StepUpWorld.Answer] = [.signIn, .decline, .another]
    let answer = answers[Int(seed % 3)]
    world.state.withLock { $0.answer = answer }
    let seen = Locked<[String]>([])
    let get: @Sendable () async throws -> Void = {
      do {
        let status = try await world.get(manager)
        seen.withLock { $0.append("\(status.code)") }
      } catch let error as OstiaryError {
        seen.withLock { $0.append(error.code.rawValue) }
      }
    }
    try await scheduler.run([
      "first": get, "second": get, "third": get,
      "renewal": {
        world.server.expireAccessTokens()
        _ = await failure { try await world.get(manager, "/things") }
      },
    ])
    try await manager.flush()
    let outcomes = Set(seen.withLock { $0 })
    let expected: Set<String> = answer == .signIn ? ["200"] : ["stronger_sign_in_needed"]
    // A request whose token was renewed on the way was sent again already, and is not a second time.
    #expect(outcomes.subtracting(["401", "challenged_again"]).isSubset(of: expected), "\(scheduler): \(outcomes)")
    #expect(manager.current?.user.id == "ann", "\(scheduler)")
    #expect(try await world.get(manager, "/things") == .ok, "\(scheduler)")
    #expect(!world.recorder.kinds.contains(.signedOut), "\(scheduler)")
  }

  @Test("StepUp-8: a sign-out here or elsewhere, and the user's answer", arguments: Storm.seeds(60, full: 1_000))
  func signOut(seed: UInt64) async throws {
    let (scheduler, world) = world(seed)
    let manager = try await world.signedIn()
    let first = manager.current?.version.lineage
    let other = seed.isMultiple(of: 2) ? manager : world.manager()
    try await scheduler.run([
      "request": { _ = await failure { try await world.get(manager) } },
      "sign-out": { await other.signOut() },
    ])
    try await manager.flush()
    // The manager learns of it with its next look at the store.
    _ = await failure { try await world.get(manager, "/things") }
    let left = manager.current?.version.lineage
    // A sign-in that another manager makes while one signs out stays, a stronger one too; the one that was signed out does not.
    #expect(other === manager ? left == nil : left != first, "\(scheduler)")
    #expect(try await world.store.holdsSession(for: manager.key) == (left != nil), "\(scheduler)")
  }
}
