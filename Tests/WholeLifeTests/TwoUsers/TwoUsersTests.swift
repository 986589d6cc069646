import TestSupport
import Testing

/// A life that breaks prints its seed and its last steps.
@Suite("Two users of one session manager", .timeLimit(.minutes(30)))
struct TwoUsersTests {
  @Test("Invariant 16: every request is about the user of its call", arguments: ManagerLife.Kind.allCases)
  func lives(kind: ManagerLife.Kind) async {
    let broken = await Lives.broken(of: 1_500, full: 25_000) { try ManagerLife(kind, seed: $0, capture: $1) }
    for life in broken { Issue.record("\(life)") }
  }
}
