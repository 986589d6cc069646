import Foundation
import OstiaryCore
import OstiaryPostgreSQL
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// A primary whose standby is gone: no commit comes back.
@Suite(
  "Proofs that wait for a standby",
  .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"), .serialized, .timeLimit(.minutes(5)))
struct WaitingProofTests {
  /// Commits wait for a standby of this name from now on; for none where it is empty.
  private static func wait(for standby: String, at server: PostgreSQLServer) async throws {
    let set = try await server.execute(
      "ALTER SYSTEM SET synchronous_standby_names = '\(standby)'; SELECT pg_reload_conf();")
    #expect(set.errors == "")
    try await waitUntil("the setting") {
      try await server.execute("SHOW synchronous_standby_names;").output == "\(standby)\n"
    }
  }

  @Test("OP-06: proofs whose callers have hung up keep one of PostgreSQL's connections, and not one each")
  func connections() async throws {
    let server = try await PostgreSQLServer.start()
    let files = TemporaryFolder()
    let database = server.database(files)
    let storage = try ServerStorage(database, migrations: Migrations.all(of: houseDoors))
    try await storage.close()
    @Sendable func prove(within patience: Duration) throws -> Bool {
      let link = try LeaseLink(PostgreSQLConnector(database).forProof(within: patience))
      return try link.prove(LeaseKeeper.Node(id: "a-1", version: "1", since: 0), at: 0)
    }
    // A node that is on the list already: two at once that put it there would wait for one another anyhow.
    #expect(try await onThread { try prove(within: .seconds(60)) })
    try await Self.wait(for: "absent", at: server)
    for _ in 0..<3 {
      await #expect(throws: (any Error).self) { try await onThread { try prove(within: .milliseconds(200)) } }
    }
    func count(_ condition: String) async throws -> String {
      try await server.execute("SELECT count(*) FROM pg_stat_activity WHERE \(condition);").output
    }
    // Those that have waited for the first one end with their time.
    try await waitUntil("the others") { try await count("wait_event_type = 'Lock'") == "0\n" }
    #expect(try await count("wait_event = 'SyncRep'") == "1\n")
    try await Self.wait(for: "", at: server)
    withExtendedLifetime((server, files)) {}
  }

  @Test("OP-06: threads that wait for another one's proof keep their connections while it fails")
  func keptConnections() async throws {
    let server = try await PostgreSQLServer.start()
    let files = TemporaryFolder()
    var database = server.database(files)
    database.listen = "postgres:///postgres?host=/nowhere&user=ostiary"
    let control = LeaseControl()
    control.hasLittlePatience()
    let node = try await SharedNode(database, "alone", clock: TestClock(), control: control)
    var issued: [IssuedTokens] = []
    for _ in 0..<3 { issued.append(try await node.world.issue()) }
    let tokens = issued
    /// How many of three reads at once were answered.
    func readAll() async -> Int {
      await withTaskGroup(of: Int.self) { group in
        for tokens in tokens {
          group.addTask {
            if let hash = TokenHash(presented: tokens.accessToken) { TokenCache.of(node.storage).remove(hash) }
            return (try? await node.tokens.find(tokens.accessToken)) != nil ? 1 : 0
          }
        }
        return await group.reduce(0, +)
      }
    }
    func connections() async throws -> Set<Substring> {
      let rows = try await server.execute(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'ostiary' AND state = 'idle';")
      return Set(rows.output.split(separator: "\n"))
    }
    // Those of proofs go: what two looks have shown is a thread's.
    var before: Set<Substring> = []
    try await waitUntil("a connection of each of three threads") {
      guard await readAll() == 3 else { return false }
      before = try await connections()
      let after = try await connections()
      return before.count >= 3 && before == after
    }
    try await Self.wait(for: "absent", at: server)
    // What was proven before counts for a time.
    try await waitUntil("a read that is refused") { await readAll() < 3 }
    let after = try await connections()
    #expect(before.subtracting(after).count <= 1, "but the one whose proof has failed")
    try await Self.wait(for: "", at: server)
    try await waitUntil("the answers") { await readAll() == 3 }
    try await node.storage.close()
    withExtendedLifetime((server, files)) {}
  }
}
