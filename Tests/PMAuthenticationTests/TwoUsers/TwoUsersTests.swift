import TestSupport
import Testing

/// A life that breaks prints its seed and its last steps.
@Suite("Two users of one Pega authenticator", .timeLimit(.minutes(30)))
struct TwoUsersTests {
  @Test("Invariant 16: every call is about the user of its moment, and nothing of a user is left after the log-off")
  func lives() async {
    let broken = await Lives.broken(of: 1_300, full: 10_000, requests: 0.5) { PegaLife(seed: $0, capture: $1) }
    for life in broken { Issue.record("\(life)") }
  }
}
