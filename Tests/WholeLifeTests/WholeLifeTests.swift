import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// A life that breaks prints its kind, its seed and its last steps. To live it again: `OSTIARY_SEED=<seed> OSTIARY_LIVES=1`
/// with a filter for the test.
@Suite("Whole lives with the real authenticators against strict servers", .timeLimit(.minutes(30)))
struct WholeLifeTests {
  /// The seeds of each kind.
  private static let seeds = Storm.seeds(500, full: 2_500, partFrom: 0, variable: "OSTIARY_LIVES")

  @Test("No session is lost but by its server's word or the user's", arguments: LifeKind.allCases)
  func lives(kind: LifeKind) async throws {
    try #require(TaskCapture.isAvailable, "The runtime has no hook for enqueueing; nothing was tested.")
    let broken = await TaskCapture.onThread { capture in
      var broken: [String] = []
      for seed in Self.seeds where broken.count < 3 {
        do {
          let life = try WholeLife(kind: kind, seed: seed, capture: capture)
          let found = life.run()
          if !found.isEmpty { broken.append(found.joined(separator: "\n") + "\n" + life.trace) }
        } catch {
          broken.append("\(kind), seed \(seed): \(error)")
        }
      }
      return broken
    }
    for life in broken { Issue.record("\(life)") }
  }
}
