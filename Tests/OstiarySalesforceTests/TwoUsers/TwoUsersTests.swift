import TestSupport
import Testing

/// A life that breaks prints its seed and its last steps.
@Suite("Two users of one service", .timeLimit(.minutes(30)))
struct TwoUsersTests {
  @Test("Invariant 16: every request is about the user, the settings and the address at which its call was made")
  func lives() async {
    let broken = await Lives.broken(of: 1_500, full: 15_000) { TwoUsersLife(seed: $0, capture: $1) }
    for life in broken { Issue.record("\(life)") }
  }
}
