import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// What a server needs to know of its database is a right that an administrator may have taken away.
@Suite(
  "Rights in PostgreSQL", .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"),
  .timeLimit(.minutes(5)))
struct PostgreSQLRightsTests {
  private static let functions = ["pg_control_system()", "pg_walfile_name(pg_lsn)", "pg_current_wal_insert_lsn()"]

  /// A server with a user that has what PostgreSQL gives to each, and a place in it.
  private static func server(_ files: TemporaryFolder) async throws -> (PostgreSQLServer, PostgreSQLDatabase) {
    let server = try await PostgreSQLServer.start()
    try await run(server, "CREATE ROLE \"plain user\" LOGIN; GRANT ALL ON SCHEMA public TO \"plain user\";")
    let address = "postgres:///postgres?host=\(server.folder)&user=plain%20user"
    return (server, PostgreSQLDatabase(Secret(address), folder: files.url))
  }

  private static func run(_ server: PostgreSQLServer, _ statements: String) async throws {
    #expect(try await server.execute(statements).errors == "")
  }

  /// The statement that a text says is to be run.
  private static func grant(_ text: String) -> String? {
    text.firstMatch(of: /GRANT EXECUTE ON FUNCTION [^;]*;/).map { String($0.output) }
  }

  @Test("OP-06: a server whose user may not ask which database answers does not start, and says what gives the right")
  func start() async throws {
    let files = TemporaryFolder()
    let (server, database) = try await Self.server(files)
    defer { withExtendedLifetime(server) {} }
    for taken in Self.functions.map({ [$0] }) + [Self.functions] {
      let names = taken.joined(separator: ", ")
      try await Self.run(server, "REVOKE EXECUTE ON FUNCTION \(names) FROM PUBLIC;")
      let error = #expect(throws: ServerError.self) { try ServerStorage(.postgreSQL(database)) }
      #expect(error?.code == .storageDenied)
      let grant = try #require(Self.grant(error?.message ?? ""))
      #expect(grant == "GRANT EXECUTE ON FUNCTION \(names) TO \"plain user\";")
      // Nothing was made, no key either: the next start finds what this one has found.
      let tables = try await server.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public';")
      #expect(tables.output == "0\n")
      #expect(!FileManager.default.fileExists(atPath: files.url.appending(path: ServerKey.fileName).path))
      try await Self.run(server, grant)
      let storage = try ServerStorage(.postgreSQL(database))
      try await storage.close()
      try await Self.run(
        server,
        """
        REVOKE EXECUTE ON FUNCTION \(names) FROM "plain user";
        GRANT EXECUTE ON FUNCTION \(names) TO PUBLIC;
        DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT ALL ON SCHEMA public TO "plain user";
        """)
      try FileManager.default.removeItem(at: files.url)
    }
  }

  @Test("OP-06: a server whose user may not write to the log alone proves where it is by its row")
  func proof() async throws {
    let files = TemporaryFolder()
    let (server, place) = try await Self.server(files)
    defer { withExtendedLifetime(server) {} }
    try await Self.run(
      server,
      """
      DO $$ BEGIN EXECUTE (
        SELECT string_agg('REVOKE EXECUTE ON FUNCTION ' || oid::regprocedure || ' FROM PUBLIC', '; ')
        FROM pg_proc WHERE proname = 'pg_logical_emit_message'); END $$;
      """)
    var database = place
    database.listen = "postgres:///postgres?host=/nowhere&user=ostiary"
    let node = try await SharedNode(database, "plain", clock: TestClock())
    let tokens = try await node.world.issue()
    #expect(try await node.tokens.find(tokens.accessToken) != nil)
    #expect(try await node.storage.nodes().contains { $0.id.hasPrefix("plain-") })
    try await node.storage.close()
  }

  @Test("OP-06: a server whose user loses the right is not ready and says why, ends nothing, and goes on by itself")
  func taken() async throws {
    let files = TemporaryFolder()
    let (server, database) = try await Self.server(files)
    defer { withExtendedLifetime(server) {} }
    try await TestServer.runWithJane({
      $0.storage = .postgreSQL(database)
      $0.operations = .address(host: "127.0.0.1", port: 0)
    }) { running in
      let watcher = Client(origin: try #require(running.running.operations))
      #expect(try await running.client().login("jdoe", TestServer.janesPassword).status == 200)
      #expect(try await watcher.get("/readyz").status == 200)
      #expect(try await ServerConfiguration.Storage.postgreSQL(database).check(keys: ServerKeySources()).isGood)

      try await Self.run(server, "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC;")
      let answer = try await watcher.get("/readyz")
      let grant = try #require(Self.grant(answer.body))
      #expect(answer.status == 503 && answer.body.contains("database"))
      // On a busy machine a proof may not come in time for another reason, and then there is nothing to say but "try again".
      try await waitUntil("an error that names the right") {
        do {
          _ = try await running.application.dropSessions(ofUserNamed: "jdoe")
          Issue.record("ended without a number")
          return true
        } catch let error as ServerError {
          #expect([.storageDenied, .storageUnavailable].contains(error.code), "\(error)")
          return error.code == .storageDenied
        }
      }
      let check = try await ServerConfiguration.Storage.postgreSQL(database).check(keys: ServerKeySources())
      #expect(!check.isGood && check.findings.contains { $0.part == .settings && $0.words.contains(grant) })

      try await Self.run(server, grant)
      #expect(try await watcher.get("/readyz").status == 200)
      #expect(try await running.application.dropSessions(ofUserNamed: "jdoe") == 1)
    }
  }
}
