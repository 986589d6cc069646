import Foundation
import NetworkTestSupport
import OstiaryCore
import Testing

@Suite(
  "Chaos with three nodes that are upgraded", .serialized, .timeLimit(.minutes(240)),
  .enabled(if: ClusterDatabase.programs != nil, Comment(rawValue: ClusterDatabase.absence)),
  .enabled(if: ChaosRun.oldProgram != nil, "OSTIARY_OLD_BINARY names no older command."))
struct ClusterUpgradeTests {
  @Test("OP-10: nodes are replaced by those of a newer version, one after another: no client is signed out")
  func rolling() async throws {
    let new = try LineProcess.program("ostiary")
    let recorder = HistoryRecorder()
    ChaosRun.say("upgrade: OSTIARY_SEED=\(ChaosRun.seed)")
    try await Cluster.run(users: ChaosRun.clients + ChaosRun.racers, program: ChaosRun.oldProgram) { cluster in
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
      let unsettled = await crew.settle()
      #expect(unsettled == [], "these clients did not go on by themselves")
      await crew.probe()
      await crew.close()
      try ClusterChaosTests.judge(recorder.history)
    }
  }
}
