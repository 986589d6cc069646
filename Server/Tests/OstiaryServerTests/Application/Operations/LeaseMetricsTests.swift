import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// What a server tells of its agreement with the others on its database.
@Suite("Metrics of leases", .timeLimit(.minutes(5)))
struct LeaseMetricsTests {
  /// A server on PostgreSQL, and what its metrics say.
  private struct Watched {
    let server: TestServer
    let watcher: Client

    func read() async throws -> PrometheusReading { try PrometheusReading(try await watcher.get("/metrics").body) }

    /// Reads until the metrics are as they are expected to become.
    func wait(until isWanted: (PrometheusReading) -> Bool) async throws -> PrometheusReading {
      var reading = try await read()
      try await waitUntil("the metrics") {
        if isWanted(reading) { return true }
        reading = try await read()
        return false
      }
      return reading
    }

    /// Begins a session and ends it, which all servers have to know.
    func endSession() async throws {
      #expect(try await server.client().login("jdoe", TestServer.janesPassword).status == 200)
      #expect(try await server.application.dropSessions(ofUserNamed: "jdoe") == 1)
    }
  }

  private static func nodes(_ reading: PrometheusReading, _ state: String) -> Double? {
    reading.value("ostiary_nodes", ["state": state])
  }

  private static func waits(_ reading: PrometheusReading, _ outcome: String) -> Double {
    reading.value("ostiary_end_wait_seconds_count", ["outcome": outcome]) ?? 0
  }

  private static func run(
    _ body: (Watched, PostgreSQLServer, LeaseControl) async throws -> Void
  ) async throws {
    let postgres = try await PostgreSQLServer.start()
    let (files, control) = (TemporaryFolder(), LeaseControl())
    try await TestServer.runWithJane({
      $0.storage = .postgreSQL(postgres.database(files))
      $0.operations = .address(host: "127.0.0.1", port: 0)
    }) { server in
      let other = try await SharedNode(postgres.database(files), "other", clock: TestClock(), control: control)
      let watched = Watched(server: server, watcher: Client(origin: try #require(server.running.operations)))
      do {
        try await body(watched, postgres, control)
      } catch {
        control.goOn()
        throw error
      }
      control.goOn()
      try await other.storage.close()
    }
    withExtendedLifetime((postgres, files)) {}
  }

  @Test(
    "OP-08: whether a lease is held, the servers, ends, and the calls that had to wait for a server are told",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"))
  func lease() async throws {
    try await Self.run { watched, postgres, control in
      var reading = try await watched.wait {
        $0.value("ostiary_lease_held") == 1 && Self.nodes($0, "listed") == 2
      }
      #expect(reading.value("ostiary_lease_listening") == 1)
      #expect(reading.value("ostiary_lease_age_seconds") ?? -1 >= 0)
      #expect(reading.value("ostiary_lease_questions_total", ["outcome": "granted"]) ?? 0 >= 1)
      #expect(Self.nodes(reading, "unlisted") == 0 && Self.nodes(reading, "silent") == 0)

      // A server that is slow here counts as one that did not answer.
      let (applied, ends) = (
        Self.waits(reading, "applied"), reading.value("ostiary_ends_applied_total") ?? 0
      )
      try await waitUntil("an end that the other server has applied") {
        try await watched.endSession()
        reading = try await watched.read()
        return Self.waits(reading, "applied") != applied
      }
      _ = try await watched.wait { $0.value("ostiary_ends_applied_total") ?? 0 > ends }

      _ = try await watched.wait { Self.nodes($0, "listed") == 2 }
      control.stop()
      try await waitUntil("a stopped server") { control.isParked }
      let waitedOut = Self.waits(try await watched.read(), "waited_out")
      try await watched.endSession()
      reading = try await watched.wait { Self.nodes($0, "listed") == 1 }
      #expect(Self.waits(reading, "waited_out") == waitedOut + 1)

      // A minute later, and hours later.
      for (seconds, count) in [(60, 1.0), (7200, 0)] {
        _ = try await postgres.execute(
          "UPDATE nodes SET seen_at = seen_at - \(seconds) WHERE id LIKE 'other-%';")
        reading = try await watched.read()
        #expect(Self.nodes(reading, "silent") == count, "\(seconds)")
        #expect(Self.nodes(reading, "listed") == 1 && Self.nodes(reading, "unlisted") == 0)
      }
      control.goOn()
      _ = try await watched.wait { Self.nodes($0, "listed") == 2 }
    }
  }

  @Test(
    "OP-08: without its database a server tells that it holds no lease, and after a failover that caches were emptied",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"))
  func failover() async throws {
    try await Self.run { watched, postgres, _ in
      var reading = try await watched.wait { $0.value("ostiary_lease_held") == 1 }
      #expect(reading.value("ostiary_caches_emptied_total", ["cause": "timeline"]) == nil)
      try await postgres.stop()
      reading = try await watched.wait {
        $0.value("ostiary_lease_held") == 0 && $0.value("ostiary_ready", ["check": "database"]) == 0
      }
      #expect(reading.value("ostiary_lease_listening") == 0)
      #expect(Self.nodes(reading, "listed")?.isNaN == true)
      try await postgres.startOnNewTimeline()
      reading = try await watched.wait { $0.value("ostiary_lease_held") == 1 }
      #expect(reading.value("ostiary_caches_emptied_total", ["cause": "timeline"]) == 1)
    }
  }

  @Test("OP-08: a server that shares no database has no metrics of leases")
  func alone() async throws {
    try await OperationsTests.run { server, watcher in
      let reading = try PrometheusReading(try await watcher.get("/metrics").body)
      let isShared = server.application.storage.isShared
      for name in ["ostiary_lease_held", "ostiary_lease_age_seconds", "ostiary_lease_listening"] {
        #expect((reading.value(name) != nil) == isShared, "\(name)")
      }
    }
  }

  @Test("OP-08: each answer to a question, each reason to empty caches, and each age of a row has a name of its own")
  func names() {
    let identity = DatabaseIdentity(system: 1, timeline: 1)
    func outcome(
      _ isListed: Bool, _ isCommitted: Bool, _ isOver: Bool, isSilent: Bool = false
    ) -> LeaseQuestionOutcome {
      let answer = LeaseAnswer(
        identity: identity, shown: 0, isListed: isListed, isCommitted: isCommitted,
        silentWriters: SilentWriters(areThere: isSilent))
      return LeaseQuestionOutcome(answer, isOver: isOver)
    }
    #expect(outcome(true, true, false) == .granted)
    #expect(outcome(true, true, true) == .late)
    #expect(outcome(false, true, true) == .unlisted)
    #expect(outcome(true, false, false) == .uncommitted)
    #expect(outcome(true, true, false, isSilent: true) == .silentWriter)

    #expect(LeaseEmptying(.newTimeline(identity)) == .timeline)
    #expect(LeaseEmptying(.counterWentBack(from: 2, to: 1)) == .counter)
    #expect(LeaseEmptying(.endsMissing(after: 1, upTo: 2)) == .missing)
    #expect(LeaseEmptying(.silentWriterGone) == .silentWriter)
    #expect(LeaseEmptying(.besideSilentWriter) == nil)
    #expect(LeaseEmptying(.deaf) == nil)

    let row: (Int64?) -> ServerNode = { shown in
      ServerNode(id: "a", version: "1", since: 0, seenAt: 1000, shown: shown, applied: shown)
    }
    let states: [(Int64?, Double, NodeState?)] = [
      (1, 1005, .listed), (1, 995, .listed), (nil, 1005, .unlisted), (1, 1010, .silent), (nil, 4599, .silent),
      (1, 4600, nil),
    ]
    for (shown, now, state) in states { #expect(NodeState(row(shown), at: now) == state, "\(now)") }
  }
}
