import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// What writes to the database as servers from before leases do: psql stands for them.
@Suite(
  "Several servers beside one that announces no ends",
  .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"), .serialized, .timeLimit(.minutes(5)))
struct SilentWriterTests {
  /// Tokens that each node has in its cache.
  private static func warm(_ nodes: SharedNodes) async throws -> IssuedTokens {
    let tokens = try await nodes[0].world.issue()
    for node in nodes.nodes { #expect(try await node.isWarm { try await node.tokens.find(tokens.accessToken) != nil }) }
    return tokens
  }

  /// Waits until the database answers with that.
  private static func wait(_ nodes: SharedNodes, for answer: String, to question: String) async throws {
    try await waitUntil("\(answer) of \(question)") { try await nodes.server.execute(question).output == answer + "\n" }
  }

  @Test(
    "OP-10, SE-04, RT-05: what an older server ends is refused by all when its call returns, and caches are used again when it has gone"
  )
  func olderServer() async throws {
    let nodes = try await SharedNodes()
    let (first, second) = (try await Self.warm(nodes), try await Self.warm(nodes))
    let third = try await Self.warm(nodes)
    // It is connected until the table is there; a look for its name alone would be answered from the connection's memory.
    async let older = nodes.server.execute(
      """
      BEGIN ISOLATION LEVEL SERIALIZABLE;
      DELETE FROM grants WHERE id = \(first.grant.id);
      COMMIT;
      DELETE FROM grants WHERE id = \(second.grant.id);
      DO $$ BEGIN FOR i IN 1..12000 LOOP
        EXIT WHEN EXISTS (SELECT FROM pg_class WHERE relname = 'go');
        PERFORM pg_sleep(0.01);
      END LOOP; END $$;
      """)
    try await Self.wait(
      nodes, for: "0", to: "SELECT count(*) FROM grants WHERE id IN (\(first.grant.id), \(second.grant.id));")
    for node in nodes.nodes {
      #expect(try await node.tokens.find(first.accessToken) == nil)
      #expect(try await node.tokens.find(second.accessToken) == nil)
      #expect(!node.holdsLease)
      let before = node.recorder.count
      #expect(try await node.tokens.find(third.accessToken) != nil)
      #expect(node.recorder.count > before)
    }
    // What the others end meanwhile is ended for all, too.
    let fourth = try await nodes[0].world.issue()
    for node in nodes.nodes { #expect(try await node.tokens.find(fourth.accessToken) != nil) }
    try await nodes[1].tokens.revoke(fourth.renewal)
    for node in nodes.nodes { #expect(try await node.tokens.find(fourth.accessToken) == nil) }
    // One that was too slow for an end is off the list until its next question.
    try await waitUntil("all three on the list") { try await nodes[0].listed().count == 3 }
    // Each has asked while it was there.
    for node in nodes.nodes {
      try await waitUntil("each to ask") { node.notes.withLock { $0.contains(.besideSilentWriter) } }
    }
    _ = try await nodes.server.execute("CREATE TABLE public.go ();")
    #expect(try await older.errors == "")
    for node in nodes.nodes {
      #expect(try await node.isWarm { try await node.tokens.find(third.accessToken) != nil })
      #expect(try await node.tokens.find(first.accessToken) == nil)
      #expect(node.notes.withLock { $0.contains(.silentWriterGone) })
    }
    try await nodes.close()
  }

  @Test("OP-10: a server that was stopped while an older one came and went forgets what it had cached")
  func stoppedMeanwhile() async throws {
    let nodes = try await SharedNodes()
    let (first, second) = (try await Self.warm(nodes), try await Self.warm(nodes))
    let stopped = nodes[1]
    stopped.control.stop()
    try await waitUntil("a stopped server") { stopped.control.isParked }
    let answer = try await nodes.server.execute(
      "DELETE FROM grants WHERE id IN (\(first.grant.id), \(second.grant.id));")
    #expect(answer.errors == "")
    for node in nodes.nodes { #expect(try await node.tokens.find(first.accessToken) == nil) }
    stopped.control.goOn()
    await stopped.lease()
    // Asked for the first time since.
    for node in nodes.nodes { #expect(try await node.tokens.find(second.accessToken) == nil) }
    try await nodes.close()
  }

  @Test("OP-10: servers and commands of this version are no silent writers, whatever they change")
  func ownChanges() async throws {
    let nodes = try await SharedNodes()
    let tokens = try await nodes[0].world.issue()
    let user = try await nodes[0].world.identity.identity.addUser(name: "ann", password: IdentityWorld.password)
    let session = try await nodes[1].sessions.begin(for: user).id
    try await nodes[1].sessions.update(session) { $0["n"] = 1 }
    try await nodes[2].tokens.revoke(tokens.renewal)
    let command = try await SharedNode(
      nodes.server.database(nodes.files), "command", clock: nodes.clock, isServing: false)
    try await command.world.identity.identity.disableUser(named: "ann")
    try await command.storage.close()
    var behindPooler = nodes.server.database(nodes.files)
    behindPooler.isBehindTransactionPooler = true
    let pooled = try await SharedNode(behindPooler, "pooled", clock: nodes.clock, isServing: false)
    _ = try await pooled.world.identity.identity.setPassword(IdentityWorld.password, forUserNamed: "ann")
    try await pooled.storage.close()
    #expect(try await nodes.server.execute("SELECT is_called FROM silent_writers;").output == "f\n")
    for node in nodes.nodes { #expect(node.notes.withLock { !$0.contains(.besideSilentWriter) }) }
    try await nodes.close()
  }

  @Test("OP-10: the first change of a connection waits until each lease is over, and no later one does")
  func waitsOnce() async throws {
    let nodes = try await SharedNodes()
    #expect(SilentWriterSchema.functions.contains("pg_sleep(1.1)") && LeaseTerms().patience == .milliseconds(1100))
    let locks = """
      SELECT count(*), count(DISTINCT objid) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid();
      """
    // What a use moves on is no change. That a connection has waited is known after a rollback, too.
    let answer = try await nodes.server.execute(
      """
      UPDATE sessions SET seen_at = 1; UPDATE grants SET rotations = 1, leaf_hash = NULL; \(locks)
      BEGIN; DELETE FROM users; ROLLBACK; \(locks)
      BEGIN; DELETE FROM users; ROLLBACK; UPDATE clients SET name = 'x'; \(locks)
      """)
    #expect(answer.errors == "")
    #expect(answer.output == "0|0\n2|1\n2|1\n")
    // PostgreSQL ends a connection after its client has gone.
    try await Self.wait(nodes, for: "f|1", to: "SELECT are_there, number FROM look_for_silent_writers();")
    try await nodes.close()
  }

  @Test("OP-10: one that comes while a question looks is not taken for one that has gone")
  func comesMeanwhile() async throws {
    let nodes = try await SharedNodes()
    // One takes its number whenever a look has begun: PostgreSQL finds this function before its own, and warns of an unlocking.
    let look = try await nodes.server.execute(
      """
      CREATE SCHEMA meanwhile;
      CREATE FUNCTION meanwhile.pg_try_advisory_lock(bigint) RETURNS boolean
        LANGUAGE sql AS 'SELECT nextval(''public.silent_writers'') > 0';
      SET client_min_messages = error; SET search_path = meanwhile, pg_catalog, public;
      SELECT are_there, number FROM look_for_silent_writers();
      """)
    // Each look finds another number after it than before.
    #expect(look.errors == "" && look.output.hasPrefix("t|"))
    try await nodes.close()
  }
}
