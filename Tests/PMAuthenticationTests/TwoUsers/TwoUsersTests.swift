import Ostiary
import OstiaryTesting
import TestSupport
import Testing

/// A life that breaks prints its seed and its last steps.
@Suite("Two users of one Pega authenticator", .timeLimit(.minutes(30)))
struct TwoUsersTests {
  @Test("Invariant 16: every call is about the user of its moment, and nothing of a user is left after the log-off")
  func lives() async throws {
    try #require(TaskCapture.isAvailable, "The runtime has no hook for enqueueing; nothing was tested.")
    let seeds = Storm.seeds(900, full: 10_000, partFrom: 0, variable: "OSTIARY_TWO_USERS")
    let lives = await Lives.live(seeds) { PegaLife(seed: $0, capture: $1) }
    for life in lives.broken { Issue.record("\(life)") }
    #expect(lives.judged > seeds.count / 2 || !lives.broken.isEmpty, "too few requests were judged")
  }
}
