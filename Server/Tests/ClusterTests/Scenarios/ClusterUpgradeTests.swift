import Foundation
import NetworkTestSupport
import OstiaryCore
import Testing

@Suite(
  "Chaos with three nodes that are upgraded", .serialized, .timeLimit(.minutes(240)),
  .enabled(if: ClusterDatabase.programs != nil, Comment(rawValue: ClusterDatabase.absence)),
  .enabled(if: ChaosRun.oldProgram != nil, "OSTIARY_OLD_BINARY names no older command."))
struct ClusterUpgradeTests {
  /// What a new node says beside one from before leases, and when that has gone.
  private static let words = ("without announcing what it ends, such as an older server", "has gone: what was cached")

  @Test(
    "OP-10: nodes are replaced by those of a newer version, one after another: no client is signed out, and nothing comes back"
  )
  func rolling() async throws {
    let new = try LineProcess.program("ostiary")
    let recorder = HistoryRecorder()
    ChaosRun.say("upgrade: OSTIARY_SEED=\(ChaosRun.seed)")
    try await Cluster.run(users: ChaosRun.clients + ChaosRun.racers, program: ChaosRun.oldProgram) { cluster in
      // Whether the old ones are from before what writes silently is noticed.
      let query = "SELECT count(*) FROM ostiary_migrations WHERE name LIKE '25:%'"
      let isSilent = try await (cluster.database as? ClusterDatabase)?.query(query) == "0"
      let crew = try ClientCrew(
        cluster, clients: ChaosRun.clients, racers: ChaosRun.racers, recorder: recorder, seed: ChaosRun.seed)
      try await crew.work(pace: ChaosRun.pace) {
        // Old ones alone, old beside new, and new ones alone; the length is an input.
        for node in cluster.nodes {
          try await Task.sleep(for: .milliseconds(ChaosRun.seconds * 250))
          ChaosRun.say("  at \(recorder.now) s: node \(node.number) is upgraded")
          try await node.restart(new)
        }
        try await Task.sleep(for: .milliseconds(ChaosRun.seconds * 250))
      }
      // The first was beside two old ones, and there is none any more.
      if isSilent {
        let said = cluster.nodes[0].messages
        #expect(said.contains(Self.words.0) && said.contains(Self.words.1), "\(said.suffix(2000))")
      }
      let unsettled = await crew.settle()
      #expect(unsettled == [], "these clients did not go on by themselves")
      await crew.probe()
      await crew.close()
      try ClusterChaosTests.judge(recorder.history, remains: try await .read(cluster.database))
    }
  }
}
