import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

/// What a failover has lost of ends that were many at once, and of changes of clients.
@Suite(
  "Ends of many, and clients, after a failover",
  .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"), .timeLimit(.minutes(5)))
struct LostEndsTests {
  @Test("SE-06, OP-10: all sessions and grants of a user at once are ended again; a client is disabled again")
  func failover() async throws {
    let nodes = try await SharedNodes()
    // A grant is compared with the time of its end, which the servers take from the machine.
    let ahead = nodes.clock.now.timeIntervalSince(Date())
    nodes.clock.advance(by: .seconds(-Int(ahead) - 100))
    let (world, clients) = (nodes[0].world, nodes[0].world.clients)
    let identity = world.identity.identity
    var sessions: [Secret] = []
    var tokens: [Secret] = []
    for name in ["ended", "kept"] {
      let user = try await identity.addUser(name: name, password: IdentityWorld.password)
      for _ in 0..<3 {
        sessions.append(try await nodes[0].sessions.begin(for: user).id)
        tokens.append(try #require(try await nodes[0].tokens.issue(world.request(user: user)).tokens).accessToken)
      }
    }
    for id in ["disabled", "enabled", "changed", "kept", "again"] {
      try await clients.register(
        ClientRegistration(
          id: id, name: id, redirectURIs: ["app:/done"], scopes: TokenWorld.scopes, policy: TokenPolicy(),
          authentication: .none))
    }
    // What survives, and is heard of as well.
    try await clients.setDisabled(true, clientID: "kept")
    try await clients.update("kept") { $0.name = "another" }
    try await clients.setDisabled(false, clientID: "kept")
    try await clients.setDisabled(true, clientID: "again")
    try await clients.setDisabled(false, clientID: "again")
    try await nodes.server.save()

    let user = try #require(try await identity.user(named: "ended"))
    #expect(try await nodes[0].sessions.endAll(forUserID: user.id) == 3)
    #expect(try await nodes[0].tokens.revokeAll(userID: user.id) == 3)
    try await clients.setDisabled(true, clientID: "disabled")
    try await clients.setDisabled(true, clientID: "again")
    try await clients.setDisabled(true, clientID: "enabled")
    try await clients.setDisabled(false, clientID: "enabled")
    try await clients.update("changed") { $0.name = "another" }
    try await LostUserChangesTests.heard(nodes)
    try await nodes.server.failOver()
    let node = nodes[1]
    try await node.leaseOnNextTimeline()
    // The database's clock is ahead of the server's: what it has numbered before seems to have been later.
    let lost = node.lost.withLock { $0 }.map { HeardEnd(end: $0.end, at: $0.at - 60) }

    /// The sessions of both users, then their tokens.
    func found() async throws -> [Bool] {
      var found: [Bool] = []
      for session in sessions { found.append(try await node.sessions.find(session) != nil) }
      for token in tokens { found.append(try await node.tokens.find(token) != nil) }
      return found
    }
    func isDisabled(_ id: String) async throws -> Bool? { try await node.world.clients.client(id: id)?.isDisabled }
    // The failover has lost all of it.
    #expect(try await found() == Array(repeating: true, count: 12))
    #expect(try await isDisabled("disabled") == false)
    let back = try await node.sessions.begin(for: user).id

    let log = LogRecorder()
    let again = EndsAgain(storage: node.storage, clock: nodes.clock, logger: log.logger)
    await again.run(lost)
    let kept = [false, false, false, true, true, true]
    #expect(try await found() == kept + kept)
    #expect(try await node.sessions.find(back) != nil)
    for id in ["disabled", "again"] { #expect(try await isDisabled(id) == true, "\(id)") }
    for id in ["enabled", "changed", "kept"] { #expect(try await isDisabled(id) == false, "\(id)") }
    // What the change was is not known.
    let warned = log.records.filter { $0.message.contains("change of a client was lost") }.map { $0.metadata["client"] }
    #expect(warned == ["changed"])

    // Another server does the same later, whose clock is ahead of the database's: what was decided since stays.
    try await node.world.clients.setDisabled(false, clientID: "disabled")
    await again.run(lost.map { HeardEnd(end: $0.end, at: $0.at + 120) })
    #expect(try await isDisabled("disabled") == false)
    #expect(try await found() == kept + kept)
    #expect(try await node.sessions.find(back) != nil)
    try await nodes.close()
  }

  @Test("OP-10: ends are told one by one, and of too many what they belong to")
  func each() {
    let many = (0..<20).map { StorageEnd.family($0) }
    #expect(StorageEnd.each(Array(many.prefix(16)), orAll: .user("a")) == Array(many.prefix(16)))
    #expect(StorageEnd.each(many, orAll: .user("a")) == [.user("a")])
    var things = EndedThings()
    for isDisabled in [true, false] {
      let end = StorageEnd.client("c \(isDisabled)", isDisabled: isDisabled)
      things.add(end.kind, end.subject)
    }
    #expect(things.clients == ["c true", "c false"] && !things.isEverything)
  }
}
