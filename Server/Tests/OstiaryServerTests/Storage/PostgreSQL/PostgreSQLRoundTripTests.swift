import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

/// How often a call waits for PostgreSQL: over a network, that is what it costs.
@Suite(
  "Round trips to PostgreSQL", .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"),
  .serialized, .timeLimit(.minutes(5)))
struct PostgreSQLRoundTripTests {
  private let files = TemporaryFolder()

  /// A server with one connection that has said where it leads to.
  private func node(
    _ server: PostgreSQLServer, _ name: String, clock: TestClock, pooler: String? = nil
  ) async throws -> SharedNode {
    var database = server.database(files)
    database.connections = 1
    if let pooler {
      database.connection = Secret(pooler)
      database.isBehindTransactionPooler = true
      database.listen = Secret(server.address)
    }
    let node = try await SharedNode(database, name, clock: clock)
    await node.lease()
    // A connection is asked once where it leads to. The first issue, and then one of 64, removes what is over.
    _ = try await node.world.rotate(try await node.world.family())
    return node
  }

  private func trips<Value: Sendable>(
    _ node: SharedNode, _ body: () async throws -> Value
  ) async throws -> (count: Int, value: Value) {
    let before = node.recorder.roundTrips
    let value = try await body()
    return (node.recorder.roundTrips - before, value)
  }

  /// Whether a look-up comes to need no round trip. While a lease is being renewed it may need some.
  private func isFree(_ node: SharedNode, _ look: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<20_000 {
      let (count, isFound) = try await trips(node, look)
      guard isFound else { return false }
      if count == 0 { return true }
    }
    return false
  }

  @Test("OP-10: a refresh takes two round trips; the redemption of a code seven; a look-up two, and none from memory")
  func counts() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let clock = TestClock()
    let node = try await node(server, "a", clock: clock)
    let other = try await self.node(server, "b", clock: clock)

    let token = try await node.world.family()
    let refreshed = try await trips(node) { try #require(try await node.world.refresh(token).tokens) }
    #expect(refreshed.count == 2)
    let again = try await trips(node) { try await node.world.refresh(token).tokens?.isReplay }
    #expect(again.value == true && again.count <= 6)

    let (access, unseen) = (refreshed.value.accessToken, try await node.world.issue().accessToken)
    let introspected = try await trips(other) { try await other.tokens.introspect(access)?.kind }
    #expect(introspected.value == .access && introspected.count == 2)
    let found = try await trips(other) { try await other.tokens.find(unseen) != nil }
    #expect(found.value && found.count == 2)
    #expect(try await isFree(other) { try await other.tokens.find(access) != nil })
    #expect(try await isFree(other) { try await other.tokens.introspect(access) != nil })
    // The client that refreshes is looked up, too.
    #expect(try await isFree(other) { try await other.world.clients.client(id: "app") != nil })

    let request = CodeRequest(grant: node.world.request(), redirectURI: nil, challenge: CodeTests.challenge)
    let issued = try await trips(node) { try #require(try await node.tokens.issueCode(request).code) }
    #expect(issued.count == 3)
    let redeemed = try await trips(node) {
      try await node.tokens.redeem(
        code: issued.value, client: node.world.client, redirectURI: nil, verifier: CodeTests.verifier
      ).tokens != nil
    }
    #expect(redeemed.value && redeemed.count == 7)

    let noted = try await trips(node) {
      try await node.storage.note(AuditEvent(.accountChanged, user: "someone"), at: clock.now)
    }
    #expect(noted.count == 1)
    let nothing = try await trips(node) { try await node.storage.write { _ in } }
    #expect(nothing.count == 0)
    try await node.storage.close()
    try await other.storage.close()
  }

  @Test("OP-10: a refresh that removes what is over takes five round trips, however much that is")
  func tidying() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let node = try await node(server, "a", clock: TestClock())
    var token = try await node.world.family()
    for count in [0, 1, 20] {
      for _ in 0..<count {
        _ = try await node.world.issue(refresh: false)
        let request = CodeRequest(grant: node.world.request(), redirectURI: nil, challenge: CodeTests.challenge)
        _ = try await node.tokens.issueCode(request)
      }
      node.world.clock.advance(by: .seconds(2 * 3600))
      let refreshed = try await trips(node) { [token] in try await node.world.rotate(token) }
      // The access token of the refresh before is over as well.
      #expect(refreshed.count == 5, "\(count)")
      token = refreshed.value
    }
    node.world.clock.advance(by: .seconds(15))
    let nothing = try await trips(node) { [token] in try await node.world.rotate(token) }
    #expect(nothing.count == 4)
    let left = try await node.storage.read { db in
      try db.test.first(Int.self, "SELECT (SELECT count(*) FROM grants) * 100 + (SELECT count(*) FROM access_tokens)")
    }
    // The two families, and the access tokens of the last two refreshes.
    #expect(left == 202)
    try await node.storage.close()
  }

  @Test(
    "OP-10: behind a pooler that lends connections by transaction, a refresh takes two round trips as well",
    .enabled(if: PostgreSQLServer.pooler != nil, "pgbouncer is not installed here."))
  func pooled() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let node = try await node(server, "a", clock: TestClock(), pooler: try await server.startPooler())
    var token = try await node.world.family()
    for _ in 0..<3 {
      let refreshed = try await trips(node) { [token] in try await node.world.rotate(token) }
      #expect(refreshed.count == 2)
      token = refreshed.value
    }
    let read = try await trips(node) { try await node.world.identity.identity.user(named: "ada") != nil }
    #expect(read.value && read.count == 2)
    try await node.storage.close()
  }

  @Test("OP-10: statements without an answer are sent together, and not too many are kept for that")
  func bounded() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let node = try await node(server, "a", clock: TestClock())
    let trail = AuditTrail(of: node.storage, at: node.world.clock.now)
    let before = try await node.storage.read { db in try db.count(AuditStatements.sql.count) }
    let noted = try await trips(node) {
      try await node.storage.write { db in
        for _ in 0..<1000 { try trail.note(AuditEvent(.accountChanged, user: "someone"), in: db) }
      }
    }
    #expect(noted.count == 4)
    #expect(try await node.storage.read { db in try db.count(AuditStatements.sql.count) } == before + 1000)
    try await node.storage.close()
  }
}
