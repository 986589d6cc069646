import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// A life that breaks prints its seed and its last steps.
@Suite("Two users of one session manager", .timeLimit(.minutes(30)))
struct TwoUsersTests {
  @Test("Invariant 16: every request is about the user of its call", arguments: ManagerLife.Kind.allCases)
  func lives(kind: ManagerLife.Kind) async throws {
    try #require(TaskCapture.isAvailable, "The runtime has no hook for enqueueing; nothing was tested.")
    let seeds = Storm.seeds(1_500, full: 25_000, partFrom: 0, variable: "OSTIARY_TWO_USERS")
    let lives = await Lives.live(seeds) { try ManagerLife(kind, seed: $0, capture: $1) }
    for life in lives.broken { Issue.record("\(life)") }
    #expect(lives.judged > seeds.count || !lives.broken.isEmpty, "too few requests were judged")
  }
}
