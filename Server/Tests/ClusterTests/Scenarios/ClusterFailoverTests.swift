import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@Suite(
  "Chaos with three nodes on a PostgreSQL that fails over", .serialized, .timeLimit(.minutes(240)),
  .enabled(if: PatroniDatabase.isThere, Comment(rawValue: PatroniDatabase.absence)),
  .enabled(if: ChaosRun.isFull, "It is a part of make chaos-cluster."))
struct ClusterFailoverTests {
  /// Lets clients work while `faults` runs again and again, and judges.
  /// - Parameter seconds: for how long; zero for once.
  static func run(
    isSynchronous: Bool, clients: Int = ChaosRun.clients, pace: Duration = ChaosRun.pace,
    seconds: Int = ChaosRun.seconds,
    _ faults: (Cluster, PatroniDatabase, inout SplitMix64, HistoryRecorder) async throws -> ClosedRange<Double>?
  ) async throws {
    let recorder = HistoryRecorder()
    let words = isSynchronous ? "synchronous" : "asynchronous"
    ChaosRun.say("failover, \(words): OSTIARY_SEED=\(ChaosRun.seed), \(seconds) s, \(clients) clients")
    try await Cluster.run(
      users: clients + ChaosRun.racers, storage: .failover(isSynchronous: isSynchronous)
    ) { cluster in
      guard let database = cluster.database as? PatroniDatabase else { return }
      let crew = try ClientCrew(
        cluster, clients: clients, racers: ChaosRun.racers, recorder: recorder, seed: ChaosRun.seed)
      var lost: [ClosedRange<Double>] = []
      var random = SplitMix64(seed: ChaosRun.seed)
      var failovers = 0
      let end = ContinuousClock.now + .seconds(seconds)
      try await crew.work(pace: pace) {
        repeat {
          // Everything is well for a while; the length is an input.
          try await Task.sleep(for: .seconds(Int.random(in: 3...6, using: &random)))
          if let interval = try await faults(cluster, database, &random, recorder) { lost.append(interval) }
          failovers += 1
          try await database.waitForStandby(isSynchronous: isSynchronous)
        } while ContinuousClock.now < end
        try await Task.sleep(for: .seconds(5))
      }
      let unsettled = await crew.settle()
      #expect(unsettled == [], "these clients did not go on by themselves")
      await crew.probe()
      await crew.close()
      ChaosRun.say("\(failovers) failovers; lost: \(lost)")
      let names = cluster.nodes.contains { $0.messages.contains("changes that were confirmed may be lost") }
      #expect(names || lost.isEmpty, "no node has said in which interval changes may be lost")
      try ClusterChaosTests.judge(recorder.history, lost: lost, remains: try await .read(cluster.database))
    }
  }

  @Test(
    "RT-04, OP-06, OP-07: the primary is killed, or goes on for some nodes: with a synchronous standby nothing is lost")
  func synchronous() async throws {
    try await Self.run(isSynchronous: true) { cluster, database, random, recorder in
      let old = try await database.primary(other: nil)
      if Bool.random(using: &random) {
        ChaosRun.say("  at \(recorder.now) s: the primary is killed")
        await database.kill(old)
        _ = try await database.primary(other: old)
        try await database.restart(old)
        return nil
      }
      try await Self.cutOff(old, of: cluster, database, recorder, for: .seconds(5))
      return nil
    }
  }

  /// Cuts the primary off from all nodes but one, which reaches only that one, until another has been the primary for a while. Then every
  /// node reaches both, and at last the old one is killed.
  static func cutOff(
    _ old: Int, of cluster: Cluster, _ database: PatroniDatabase, _ recorder: HistoryRecorder, for length: Duration
  ) async throws {
    ChaosRun.say("  at \(recorder.now) s: the primary is cut off; node 0 reaches only that one")
    // It doesn't notice that another has taken its place.
    database.pauseAgent(old, true)
    defer { database.pauseAgent(old, false) }
    cluster.nodes[0].ways[1 - old].set(.cut)
    for node in cluster.nodes.dropFirst() { node.ways[old].set(.cut) }
    defer { for node in cluster.nodes { for way in node.ways { way.set(.open) } } }
    _ = try await database.primary(other: old)
    ChaosRun.say("  at \(recorder.now) s: another is the primary")
    // The lengths are inputs.
    try await Task.sleep(for: length)
    for node in cluster.nodes { for way in node.ways { way.set(.open) } }
    try await Task.sleep(for: .seconds(1))
    // An agent that goes on after its lock has run out may take the lock from the new primary, and with it what was committed there without
    // a standby (seen with Patroni 3.0.2 on etcd 3). Patroni's watchdog is there against that, and would do this.
    await database.kill(old)
    try await database.restart(old)
  }

  @Test("RT-04: commits that an asynchronous failover loses end no sign-in that survived it")
  func asynchronous() async throws {
    try await Self.run(isSynchronous: false) { cluster, database, random, recorder in
      let old = try await database.primary(other: nil)
      // What is committed from now on does not reach the standby.
      database.replication(from: old).set(.silent)
      let begin = recorder.now - 0.5
      try await Task.sleep(for: .milliseconds(Int.random(in: 200...3000, using: &random)))
      await database.kill(old)
      let interval = begin...recorder.now
      // What has not arrived never does.
      database.replication(from: old).set(.cut)
      ChaosRun.say("  the primary is killed; what was committed in \(interval) is lost")
      _ = try await database.primary(other: old)
      database.replication(from: old).set(.open)
      try await database.restart(old)
      return interval
    }
  }
}
