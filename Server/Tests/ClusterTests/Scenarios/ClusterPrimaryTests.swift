import OstiaryCore
import Testing

/// With few clients, so that what a node can still answer is not behind what it can't.
@Suite(
  "Chaos with a node that reaches only a primary that has lost its place", .serialized, .timeLimit(.minutes(240)),
  .enabled(if: PatroniDatabase.isThere, Comment(rawValue: PatroniDatabase.absence)),
  .enabled(if: ChaosRun.isFull || ChaosRun.isMutation, "It is a part of make chaos-cluster."))
struct ClusterPrimaryTests {
  @Test(
    "SE-04, RT-05, OP-06: a node that reaches only the old primary accepts nothing that has ended, and signs no client out"
  )
  func cutOff() async throws {
    try await ClusterFailoverTests.run(isSynchronous: true, clients: 24, pace: .milliseconds(600), seconds: 0) {
      cluster, database, _, recorder in
      let old = try await database.primary(other: nil)
      try await ClusterFailoverTests.cutOff(old, of: cluster, database, recorder, for: .seconds(12))
      return nil
    }
  }
}
