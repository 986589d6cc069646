import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// Servers behind pgbouncer, which lends connections by transaction.
@Suite(
  "Several servers behind a pooler",
  .enabled(
    if: PostgreSQLServer.programs != nil && PostgreSQLServer.pooler != nil,
    "PostgreSQL or pgbouncer is not installed here."), .timeLimit(.minutes(5)))
struct LeasePoolerTests {
  @Test(
    "OP-10: a pooler that keeps notices back is found out; an address around it gives leases", arguments: [false, true])
  func pooler(hasWayAround: Bool) async throws {
    let nodes = try await SharedNodes()
    var database = nodes.server.database(nodes.files)
    database.connection = Secret(try await nodes.server.startPooler())
    database.isBehindTransactionPooler = true
    if hasWayAround { database.listen = Secret(nodes.server.address) }
    let behind = try await SharedNode(database, "behind", clock: nodes.clock)
    let tokens = try await nodes[0].world.issue()
    if hasWayAround {
      await behind.lease()
      #expect(try await behind.isWarm { try await behind.tokens.find(tokens.accessToken) != nil })
      try await behind.waitUntilListed(4)
    } else {
      try await waitUntil("the note that it hears nothing") { behind.notes.withLock { $0.contains(.deaf) } }
      let before = behind.recorder.count
      #expect(try await behind.tokens.find(tokens.accessToken) != nil)
      #expect(behind.recorder.count > before)
      try await behind.waitUntilListed(3)
      #expect(try await behind.listed().allSatisfy { !$0.hasPrefix("behind-") })
    }
    try await nodes[0].tokens.revoke(tokens.renewal)
    #expect(try await behind.tokens.find(tokens.accessToken) == nil)
    // What it ends itself is known to the others.
    let others = try await nodes[0].world.issue()
    #expect(try await nodes[1].isWarm { try await nodes[1].tokens.find(others.accessToken) != nil })
    try await behind.tokens.revoke(others.renewal)
    for node in nodes.nodes { #expect(try await node.tokens.find(others.accessToken) == nil) }
    try await behind.storage.close()
    try await nodes.close()
  }
}
