import Foundation
import OstiaryCore
import Testing

@Suite(
  "Chaos with three nodes", .serialized, .timeLimit(.minutes(240)),
  .enabled(if: ClusterDatabase.programs != nil, Comment(rawValue: ClusterDatabase.absence)))
struct ClusterChaosTests {
  @Test(
    "RT-04, RT-05, OP-06, OP-07: nodes killed and stopped, PostgreSQL crashing, links cut: no client is signed out, and nothing that has ended comes back"
  )
  func faults() async throws {
    let recorder = HistoryRecorder()
    if !OwnNetwork.isThere { ChaosRun.say("no network namespace: no packets are lost") }
    ChaosRun.say("OSTIARY_SEED=\(ChaosRun.seed), \(ChaosRun.clients) clients, \(ChaosRun.seconds) s a scenario")
    try await Cluster.run(users: ChaosRun.clients + ChaosRun.racers) { cluster in
      let crew = try ClientCrew(
        cluster, clients: ChaosRun.clients, racers: ChaosRun.racers, recorder: recorder, seed: ChaosRun.seed)
      do {
        try await crew.work(pace: ChaosRun.pace) {
          for scenario in ClusterPlan.Scenario.allCases {
            try await Self.run(scenario, cluster, recorder)
          }
        }
      } catch {
        // What the clients have seen until then is judged all the same.
        Issue.record(error)
      }
      let unsettled = await crew.settle()
      #expect(unsettled == [], "these clients did not go on by themselves")
      await crew.probe()
      await crew.close()
      try Self.judge(recorder.history, remains: try await .read(cluster.database))
    }
  }

  private static func run(_ scenario: ClusterPlan.Scenario, _ cluster: Cluster, _ recorder: HistoryRecorder)
    async throws
  {
    let end = ContinuousClock.now + .seconds(ChaosRun.seconds)
    let plan = ClusterPlan(
      scenario, seed: ChaosRun.seed, seconds: ChaosRun.seconds, losesPackets: OwnNetwork.isThere)
    ChaosRun.say("\(scenario.rawValue): \(plan.steps.count) faults, from \(recorder.now) s on")
    try await cluster.perform(plan) { step in
      if !ChaosRun.isFull { ChaosRun.say("  at \(recorder.now) s: \(step.fault)") }
    }
    // The length of the run is an input.
    try await Task.sleep(until: end)
  }

  static func judge(_ history: ClusterHistory, lost: [ClosedRange<Double>] = [], remains: ClusterRemains) throws {
    for line in ChaosRun.summary(history) { ChaosRun.say(line) }
    ChaosRun.say("the database has \(remains.leaves.count) families")
    #expect(!remains.leaves.isEmpty)
    let (violations, excused) = ClusterJudge.verdict(on: history, lost: lost, remains: remains)
    for (rule, found) in Dictionary(grouping: excused, by: \.rule).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      ChaosRun.say("excused by lost commits, \(rule.rawValue): \(found.count)")
      for violation in found.prefix(20) { ChaosRun.say("  \(violation)") }
    }
    if !violations.isEmpty {
      ChaosRun.say("\(violations.count) violations; the history is in \(try ChaosRun.keep(history))")
      for violation in violations.prefix(40) { ChaosRun.say("\(violation)") }
    }
    #expect(violations.isEmpty, "\(violations.count) violations, the first: \(violations.prefix(5))")
    // The run has been about something: each thing was done, and some of it in vain.
    func done(_ action: ClusterEvent.Action) -> Int {
      history.events.count { event in
        guard event.action == action else { return false }
        return switch event.outcome {
        case .coded, .issued, .accepted: true
        default: false
        }
      }
    }
    for action in [ClusterEvent.Action.redeem, .refresh, .call, .introspect, .probe, .revoke] {
      #expect(done(action) > 0, "\(action)")
    }
    #expect(history.events.contains { $0.outcome.isUncertain })
  }
}
