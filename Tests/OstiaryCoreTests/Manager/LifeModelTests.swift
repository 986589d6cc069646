import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

/// A life that broke prints its seed and its steps. To live it again: `LifeModel(seed:)`, or `SeededScheduler(replaying:)`
/// with the steps.
///
/// What the model sees was tried by taking away what it guards, each for one run:
/// - without the exclusive lock (the manager's `exclusively` called its body at once) seed 156 broke with "1 repeated
///   renewals for 0 interruptions": two processes renewed one session, and the server forgave the second;
/// - without the second look (`readyToRenew` went on with what was known before the wait) seed 32 broke with "a renewal
///   token was used twice": the server ended the session.
@Suite("Invariants 1, 3, 4, 5, 6 and 7: a session's life in any order", .timeLimit(.minutes(20)))
struct LifeModelTests {
  private static let seeds = Storm.seeds(1_000, full: 10_000, variable: "OSTIARY_SEEDS")

  @Test("A thousand lives, ten thousand in a whole storm, or as many as asked for")
  func lives() async throws {
    let lanes: UInt64 = 2
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<lanes {
        group.addTask {
          for seed in Self.seeds where seed % lanes == lane {
            try await LifeModel(seed: seed).run()
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
