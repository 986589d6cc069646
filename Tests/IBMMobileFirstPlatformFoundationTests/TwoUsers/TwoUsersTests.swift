import TestSupport
import Testing

/// A life that breaks prints its seed and its last steps.
@Suite("Two users of one MobileFirst client", .timeLimit(.minutes(30)))
struct TwoUsersTests {
  @Test("Invariant 16: every request is about the user, the server and the fields of its call")
  func lives() async {
    let broken = await Lives.broken(of: 700, full: 8_000) { MobileFirstLife(seed: $0, capture: $1) }
    for life in broken { Issue.record("\(life)") }
  }
}
