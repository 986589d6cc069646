import Foundation
import OstiaryCore
import OstiaryPostgreSQL
import Testing

@testable import OstiaryServer

/// A standby takes the place of its primary, which goes on: there is a server that reaches only that one.
@Suite(
  "A primary that has lost its place",
  .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"), .serialized, .timeLimit(.minutes(5)))
struct LostPrimaryTests {
  private static func isUnavailable(_ body: () async throws -> Bool) async throws -> Bool {
    do {
      return try await !body()
    } catch let error as ServerError {
      return error.retryAfter != nil
    }
  }

  @Test(
    "SE-04, RT-05, OP-06: what it tells is not believed: nothing that has ended comes back, and no sign-in is refused that began at its successor"
  )
  func notBelieved() async throws {
    let old = try await PostgreSQLServer.start()
    let new = try await old.follow()
    let (files, clock, control) = (TemporaryFolder(), TestClock(), LeaseControl())
    control.hasLittlePatience()
    let left = try await SharedNode(old.database(files), "left", clock: clock, control: control)
    await left.lease()
    let (cached, stored) = (try await left.world.issue(), try await left.world.issue())
    #expect(try await left.isWarm { try await left.tokens.find(cached.accessToken) != nil })
    TokenCache.of(left.storage).remove(try #require(TokenHash(presented: stored.accessToken)))

    try await new.promote()
    let other = try await SharedNode(new.database(files), "other", clock: clock)
    let begun = try await other.world.family()
    // What is confirmed there comes when nothing is believed any more of what the old one tells.
    let age = "SELECT extract(epoch FROM clock_timestamp()) - began_at >= 1.1 FROM timelines"
    #expect(try await new.execute("\(age) WHERE beginning = 'failover';").output == "t\n")
    try await other.tokens.revoke(cached.renewal)
    try await other.tokens.revoke(stored.renewal)

    #expect(!left.holdsLease)
    for tokens in [cached, stored] {
      #expect(try await Self.isUnavailable { try await left.tokens.find(tokens.accessToken) != nil })
    }
    // It would be the definite word that the client is signed out.
    await #expect(throws: ServerError.self) { try await left.world.refresh(begun) }
    await #expect(throws: ServerError.self) { try await left.world.clients.client(id: "none") }
    // It would be the word that a sign-out is done which has found nothing to end.
    await #expect(throws: ServerError.self) { try await left.tokens.revoke(begun) }
    #expect(try await other.world.refresh(begun).tokens != nil)
    try await other.storage.close()
    try await left.storage.close()
    withExtendedLifetime((old, new, files)) {}
  }

  @Test("OP-06, OP-10: a server without a connection for leases reads on: each second it proves once where it is")
  func withoutLeases() async throws {
    let server = try await PostgreSQLServer.start()
    let files = TemporaryFolder()
    var database = server.database(files)
    database.listen = "postgres:///postgres?host=/nowhere&user=ostiary"
    let node = try await SharedNode(database, "alone", clock: TestClock())
    let tokens = try await node.world.issue()
    for _ in 0..<20 { #expect(try await node.tokens.find(tokens.accessToken) != nil) }
    #expect(!node.holdsLease)
    // A transaction that waits for its commit may have locked the row of the node: the proof does not wait for it.
    let other = try PostgreSQLSession(Secret(server.address))
    try other.run(script: "BEGIN; UPDATE nodes SET since = since")
    let end = ContinuousClock.now + LeaseTerms().lease * 2
    var missing = 0
    while ContinuousClock.now < end {
      if try await node.tokens.find(tokens.accessToken) == nil { missing += 1 }
    }
    #expect(missing == 0)
    try other.run(script: "ROLLBACK")
    #expect(try await node.storage.nodes().contains { $0.id.hasPrefix("alone-") && $0.shown == nil })
    try await node.storage.close()
    withExtendedLifetime((server, files)) {}
  }

  @Test("OP-08: of what a database may lack only room on its disk is no reason for doubt")
  func lacks() {
    let states = ["25006", "53000", "53100", "53200", "53300", "53400", "57014", ""]
    #expect(states.filter { PostgreSQLFailure(.refused, state: $0, message: "").isAboutDisk } == ["53100"])
    #expect(!PostgreSQLFailure(.cannotConnect, state: "53100", message: "").isAboutDisk)
  }

  @Test("OP-06: a commit that takes longer than a lease makes reads slow, and refuses none")
  func slowCommits() async throws {
    let old = try await PostgreSQLServer.start()
    let new = try await old.follow()
    let files = TemporaryFolder()
    let node = try await SharedNode(old.database(files), "slow", clock: TestClock())
    var issued: [IssuedTokens] = []
    for _ in 0..<3 { issued.append(try await node.world.issue()) }
    let tokens = issued
    // Each commit waits until the standby has applied it: for longer than a lease, and the second after that in which a session hopes for
    // an answer.
    func delay(_ time: String) async throws {
      #expect(
        try await new.execute(
          "ALTER SYSTEM SET recovery_min_apply_delay = '\(time)'; SELECT pg_reload_conf();"
        ).errors == "")
    }
    try await delay("2100ms")
    #expect(
      try await old.execute("ALTER SYSTEM SET synchronous_commit = 'remote_apply'; SELECT pg_reload_conf();").errors
        == "")
    // For longer than proofs from before count.
    let end = ContinuousClock.now + .seconds(5)
    var answers: Set<Bool> = []
    while ContinuousClock.now < end {
      answers.formUnion(
        try await withThrowingTaskGroup(of: Bool.self) { group in
          for tokens in tokens { group.addTask { try await node.isFoundInDatabase(tokens) } }
          return try await group.reduce(into: []) { $0.append($1) }
        })
    }
    #expect(answers == [true])
    try await delay("0")
    try await node.storage.close()
    withExtendedLifetime((old, new, files)) {}
  }
}

extension SharedNode {
  /// Whether an access token is found by a look at the database.
  fileprivate func isFoundInDatabase(_ issued: IssuedTokens) async throws -> Bool {
    if let hash = TokenHash(presented: issued.accessToken) { TokenCache.of(storage).remove(hash) }
    return try await tokens.find(issued.accessToken) != nil
  }
}
