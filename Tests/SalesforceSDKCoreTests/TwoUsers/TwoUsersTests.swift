import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// A life that breaks prints its seed and its last steps.
@Suite("Two users of one manager of accounts", .timeLimit(.minutes(30)))
struct TwoUsersTests {
  @Test("Invariant 16: every call is about the account of its moment, and nothing of a user is left after the sign-out")
  func lives() async throws {
    try #require(TaskCapture.isAvailable, "The runtime has no hook for enqueueing; nothing was tested.")
    let seeds = Storm.seeds(2_100, full: 15_000, partFrom: 0, variable: "OSTIARY_TWO_USERS")
    let lives = await Lives.live(seeds) { AccountsLife(seed: $0, capture: $1) }
    for life in lives.broken { Issue.record("\(life)") }
    #expect(lives.judged > seeds.count || !lives.broken.isEmpty, "too few requests were judged")
  }
}
