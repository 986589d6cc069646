import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// A life that breaks prints its seed and its last steps.
@Suite("Two users of one service", .timeLimit(.minutes(30)))
struct TwoUsersTests {
  @Test("Invariant 16: every request is about the user, the settings and the address at which its call was made")
  func lives() async throws {
    try #require(TaskCapture.isAvailable, "The runtime has no hook for enqueueing; nothing was tested.")
    let (broken, judged) = await TaskCapture.onThread { capture in
      var broken: [String] = []
      var judged = 0
      for seed in Storm.seeds(1_000, full: 10_000, partFrom: 0, variable: "OSTIARY_TWO_USERS") where broken.count < 3 {
        let life = TwoUsersLife(seed: seed, capture: capture)
        if let first = life.run().first { broken.append(first) }
        judged += life.judged
      }
      return (broken, judged)
    }
    for life in broken { Issue.record("\(life)") }
    #expect(judged > 1_000 || !broken.isEmpty, "too few requests were judged")
  }
}
