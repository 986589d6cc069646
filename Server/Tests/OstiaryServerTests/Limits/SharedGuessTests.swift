import Foundation
import OstiaryCore
import OstiaryPostgreSQL
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// Servers that share a PostgreSQL count guesses in its rows, each of which is locked before it is looked at.
@Suite(
  "Guesses at several servers on one PostgreSQL",
  .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"), .timeLimit(.minutes(5)))
struct SharedGuessTests {
  /// Three servers, and what they measure of their databases.
  private struct Nodes {
    let server: PostgreSQLServer
    let files = TemporaryFolder()
    let storages: [ServerStorage]
    let services: [GuessService]
    let clock = TestClock()
    let registries: [PrometheusRegistry]

    init() async throws {
      server = try await PostgreSQLServer.start()
      let database = server.database(files)
      storages = try (0..<3).map { _ in try ServerStorage(.postgreSQL(database)) }
      let clock = clock
      services = storages.map { GuessService($0, clock: clock) }
      registries = storages.map { storage in
        let registry = PrometheusRegistry(StorageMetrics.all)
        storage.measure(with: StorageMetrics(registry))
        return registry
      }
    }

    /// Guesses at once, at one server after the other.
    func look(
      _ count: Int, isRight: Bool = false, from address: String, _ subject: @escaping @Sendable (Int) -> String
    ) async throws -> [String] {
      let services = services
      return try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<count {
          group.addTask {
            try await LostGuessTests.look(services[number % 3], subject(number), from: address, isRight: isRight)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }

    /// How many transactions were run again because others had changed the same rows.
    func retries() throws -> Double {
      try registries.reduce(0) { sum, registry in
        let reading = try PrometheusReading(registry.text)
        return sum
          + (reading.value("ostiary_database_retries_total", ["kind": "write", "cause": "conflict"]) ?? 0)
      }
    }

    func close() async throws {
      for storage in storages { try await storage.close() }
      withExtendedLifetime((server, files)) {}
    }
  }

  @Test("LO-04: the first guesses at a name, at three servers at once, are as many as the budget")
  func first() async throws {
    let nodes = try await Nodes()
    for round in 0..<10 {
      let outcomes = try await nodes.look(30, from: "192.0.2.\(round)") { _ in "name \(round)" }
      #expect(outcomes.count { $0 == "wrong" } == 5, "\(round)")
      #expect(outcomes.count { $0.hasPrefix("wait") } == 25, "\(round)")
    }
    // At many names, from one address.
    let outcomes = try await nodes.look(60, from: "198.51.100.1") { "name \($0)" }
    #expect(outcomes.count { $0 == "wrong" } == 20)
    #expect(outcomes.count { $0.hasPrefix("wait") } == 40)
    try await nodes.close()
  }

  @Test("LO-04: log-ins from one network wait for each other's counts, and are not run again for them")
  func network() async throws {
    let nodes = try await Nodes()
    for round in 0..<8 {
      let outcomes = try await nodes.look(18, isRight: true, from: "192.0.2.1") { "name \(round) \($0)" }
      #expect(outcomes == Array(repeating: "right", count: 18), "\(round)")
    }
    // Ten each, if they were. A few are run again for what PostgreSQL takes for a conflict, more of them on a slow machine.
    #expect(try nodes.retries() <= 100)
    // Nothing is left of them that counts.
    let outcomes = try await nodes.look(20, from: "192.0.2.1") { "other \($0)" }
    #expect(outcomes == Array(repeating: "wrong", count: 20))
    try await nodes.close()
  }

  private static func waiting(_ server: PostgreSQLServer) async throws -> Int {
    let answer = try await server.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock';")
    return Int(answer.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  @Test(
    "LO-04: guesses of a server that is gone are taken back beside one at the same name: neither keeps what the other waits for"
  )
  func lost() async throws {
    let nodes = try await Nodes()
    let names = ["ada", "bob"] + (0..<17).map { "name \($0)" }
    try await LostGuessTests.abandon(names, at: nodes.storages[0], nodes.clock)
    nodes.clock.advance(by: .seconds(10))
    let (services, isBegun, isOpen) = (nodes.services, Locked(false), Locked(false))
    async let bob = LostGuessTests.look(services[1], "bob", isRight: true) { () async throws(ServerError) in
      isBegun.withLock { $0 = true }
      try? await waitUntil { isOpen.withLock { $0 } }
    }
    try await waitUntil("the hash") { isBegun.withLock { $0 } }
    // The count of the network, which is the last that each locks.
    let third = try PostgreSQLSession(Secret(nodes.server.address))
    try third.run(
      script: """
        BEGIN; SELECT 1 FROM guesses WHERE (subject, part) IN (
          SELECT subject, substring(part FROM 1 FOR 16) FROM guesses WHERE length(part) > 16) FOR UPDATE
        """)
    async let carl = LostGuessTests.look(services[2], "carl", isRight: true)
    try await waitUntil("the first to wait") { try await Self.waiting(nodes.server) >= 1 }
    isOpen.withLock { $0 = true }
    try await waitUntil("both to wait") { try await Self.waiting(nodes.server) >= 2 }
    try third.run(script: "COMMIT")
    #expect(try await [bob, carl] == ["right", "right"])
    let log = try String(contentsOfFile: nodes.server.folder + "/log", encoding: .utf8)
    #expect(!log.contains("deadlock detected"))
    try await nodes.close()
  }
}
