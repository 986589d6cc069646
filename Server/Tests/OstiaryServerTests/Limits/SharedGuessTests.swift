import Foundation
import OstiaryCore
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
    let registries: [PrometheusRegistry]

    init() async throws {
      server = try await PostgreSQLServer.start()
      let database = server.database(files)
      storages = try (0..<3).map { _ in try ServerStorage(.postgreSQL(database)) }
      let clock = TestClock()
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
    #expect(try nodes.retries() <= 36)
    // Nothing is left of them that counts.
    let outcomes = try await nodes.look(20, from: "192.0.2.1") { "other \($0)" }
    #expect(outcomes == Array(repeating: "wrong", count: 20))
    try await nodes.close()
  }
}
