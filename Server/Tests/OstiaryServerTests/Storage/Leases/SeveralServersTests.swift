import Dispatch
import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// Servers that share one PostgreSQL believe their caches by leases, and what is ended on one is ended on all when the call returns.
@Suite(
  "Several servers on one PostgreSQL", .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"),
  .serialized, .timeLimit(.minutes(5)))
struct SeveralServersTests {
  /// The ways to end a token, or a session.
  enum End: CaseIterable, Sendable {
    case accessToken, family, grant, ofUser, ofUserAtClient, ofClient, clientDisabled, clientRemoved, reuse
    case userDisabled, newPassword
    case session, sessionsOfUser, signedInAgain

    /// Whether it ends a token of the user's.
    var endsToken: Bool {
      switch self {
      case .userDisabled, .accessToken, .family, .grant, .ofUser, .ofUserAtClient, .ofClient, .clientDisabled,
        .clientRemoved, .reuse:
        true
      case .newPassword, .session, .sessionsOfUser, .signedInAgain: false
      }
    }

    /// Whether it ends the user's session.
    var endsSession: Bool {
      switch self {
      case .userDisabled, .newPassword, .session, .sessionsOfUser, .signedInAgain: true
      default: false
      }
    }
  }

  /// What a user has at an app and at a door.
  struct Things: Sendable {
    let tokens: IssuedTokens
    let session: Secret
    let user: User
    let client: ServerClient
  }

  private static func things(_ node: SharedNode, _ name: String) async throws -> Things {
    let client = try await node.world.otherClient(name)
    let user = try await node.world.identity.identity.addUser(name: name, password: IdentityWorld.password)
    let tokens = try #require(try await node.tokens.issue(node.world.request(client: client, user: user)).tokens)
    return Things(tokens: tokens, session: try await node.sessions.begin(for: user).id, user: user, client: client)
  }

  private static func end(_ end: End, _ things: Things, on node: SharedNode) async throws {
    let identity = node.world.identity.identity
    switch end {
    case .accessToken: try await node.tokens.revoke(things.tokens.accessToken)
    case .family: try await node.tokens.revoke(things.tokens.renewal)
    case .grant: try await node.tokens.revoke(grantID: things.tokens.grant.id)
    case .ofUser: try await node.tokens.revokeAll(userID: things.user.id)
    case .ofUserAtClient: try await node.tokens.revokeAll(userID: things.user.id, clientID: things.client.id)
    case .ofClient: try await node.tokens.revokeAll(clientID: things.client.id)
    case .clientDisabled: try await node.world.clients.setDisabled(true, clientID: things.client.id)
    case .clientRemoved: try await node.world.clients.remove(things.client.id)
    case .reuse:
      let next = try #require(try await node.tokens.refresh(things.tokens.renewal, client: things.client).tokens)
      _ = try await node.tokens.refresh(next.renewal, client: things.client)
      node.world.clock.advance(by: .seconds(3600))
      #expect(try await node.tokens.refresh(things.tokens.renewal, client: things.client).refusal == .reused)
    case .userDisabled: try await identity.disableUser(named: things.user.name)
    case .newPassword: try await identity.setPassword(IdentityWorld.password, forUserNamed: things.user.name)
    case .session: try await node.sessions.end(things.session)
    case .sessionsOfUser: try await node.sessions.endAll(forUserID: things.user.id)
    case .signedInAgain: _ = try await node.sessions.begin(for: things.user, replacing: things.session)
    }
  }

  @Test("OP-10, SE-04, SE-06, RT-05: what is ended on one is refused by all at once, however warm their caches are")
  func ended() async throws {
    let nodes = try await SharedNodes()
    for (number, end) in End.allCases.enumerated() {
      let things = try await Self.things(nodes[0], "user\(number)")
      let token = things.tokens.accessToken
      for node in nodes.nodes {
        #expect(try await node.isWarm { try await node.tokens.find(token) != nil }, "\(end)")
        #expect(try await node.isWarm { try await node.sessions.find(things.session) != nil }, "\(end)")
        #expect(try await node.isWarm { try await node.world.clients.client(id: things.client.id) != nil }, "\(end)")
      }
      try await Self.end(end, things, on: nodes[number % 3])
      for node in nodes.nodes {
        if end.endsToken { #expect(try await node.tokens.find(token) == nil, "\(end)") }
        if end.endsSession { #expect(try await node.sessions.find(things.session) == nil, "\(end)") }
        let client = try await node.world.clients.client(id: things.client.id)
        switch end {
        case .clientDisabled: #expect(client?.isDisabled == true)
        case .clientRemoved: #expect(client == nil)
        default: #expect(client?.isDisabled == false)
        }
      }
    }
    try await nodes.close()
  }

  @Test("OP-10: an introspection is answered from memory until the token ends, on a server that did not issue it")
  func introspected() async throws {
    let nodes = try await SharedNodes()
    let things = try await Self.things(nodes[0], "asked")
    let token = things.tokens.accessToken
    for node in nodes.nodes.dropFirst() {
      #expect(try await node.isWarm { try await node.tokens.introspect(token, client: things.client)?.kind == .access })
    }
    try await nodes[0].tokens.revoke(token)
    for node in nodes.nodes {
      #expect(try await node.tokens.introspect(token, client: things.client) == nil)
    }
    try await nodes.close()
  }

  @Test("SE-06: a session that begins while its user's password is being changed ends with that change")
  func passwordChange() async throws {
    let nodes = try await SharedNodes()
    let identity = nodes[0].world.identity.identity
    let user = try await identity.addUser(name: "ann", password: IdentityWorld.password)
    let hash = try await identity.newHash(
      IdentityWorld.password, refusal: AuditEvent(.passwordRefused, .overloaded, user: user.id))
    let (storage, now) = (nodes[0].storage, nodes.clock.now)
    let trail = AuditTrail(of: storage, at: now)
    let go = DispatchSemaphore(value: 0)
    let (runs, isReached) = (Locked(0), Locked(false))
    async let changing: User? = storage.write { db in
      // Its snapshot is from before the session.
      _ = try UserRow.find(id: user.id, in: db)
      let isFirst = runs.withLock { runs in
        runs += 1
        return runs == 1
      }
      if isFirst {
        isReached.withLock { $0 = true }
        _ = go.wait(timeout: .now() + 60)
      }
      return try identity.replacePassword(
        ofUser: user.id, generation: user.generation, with: hash, now: now, trail, in: db)
    }
    // No thread of Swift's tasks waits: others may need it.
    try await waitUntil("the change to be under way") { isReached.withLock { $0 } }
    let session = try await nodes[1].sessions.begin(for: user).id
    go.signal()
    #expect(try await changing != nil)
    for node in nodes.nodes { #expect(try await node.sessions.find(session) == nil) }
    try await nodes.close()
  }

  @Test("SE-06: new passwords and sign-ins at once on three servers: none fails, and no row of all is in the way")
  func manyPasswords() async throws {
    let nodes = try await SharedNodes()
    var users: [User] = []
    for number in 0..<24 {
      users.append(
        try await nodes[0].world.identity.identity.addUser(name: "user\(number)", password: IdentityWorld.password))
    }
    let all = users
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in all.indices {
        group.addTask {
          _ = try await nodes[number % 3].world.identity.identity.setPassword(
            IdentityWorld.password, forUserNamed: all[number].name)
        }
        group.addTask { _ = try? await nodes[(number + 1) % 3].sessions.begin(for: all[number]) }
      }
      try await group.waitForAll()
    }
    let triggers = try await nodes.server.execute("SELECT tgname FROM pg_trigger WHERE tgname LIKE '%for_tokens';")
    #expect(triggers.output.isEmpty)
    try await nodes.close()
  }

  @Test("OP-10: what is changed on one is known to all at once: attributes, a name to show, a client")
  func changed() async throws {
    let nodes = try await SharedNodes()
    let things = try await Self.things(nodes[0], "ann")
    for node in nodes.nodes {
      #expect(try await node.isWarm { try await node.sessions.find(things.session) != nil })
      #expect(try await node.isWarm { try await node.world.clients.client(id: things.client.id) != nil })
    }
    try await nodes[1].sessions.update(things.session) { $0["n"] = 1 }
    try await nodes[2].world.clients.update(things.client.id) { $0.name = "another" }
    for node in nodes.nodes {
      #expect(try await node.sessions.find(things.session)?.attributes == ["n": 1])
      #expect(try await node.world.clients.client(id: things.client.id)?.name == "another")
    }
    try await nodes.close()
  }

  @Test(
    "SE-04, RT-05: a call waits for a stopped server once, for as long as that may believe its cache, and not again")
  func stopped() async throws {
    let nodes = try await SharedNodes()
    let (first, second) = (try await Self.things(nodes[0], "one"), try await Self.things(nodes[0], "two"))
    let stopped = nodes[1]
    for things in [first, second] {
      #expect(try await stopped.isWarm { try await stopped.tokens.find(things.tokens.accessToken) != nil })
    }
    stopped.control.stop()
    try await waitUntil("a stopped server") { stopped.control.isParked }
    try await nodes[0].tokens.revoke(first.tokens.renewal)
    // Its requests are answered all the same, by asking.
    #expect(try await stopped.tokens.find(first.tokens.accessToken) == nil)
    #expect(try await nodes[2].tokens.find(first.tokens.accessToken) == nil)
    // Ends wait for it no more.
    try await waitUntil("the list without it") { try await nodes[0].listed().count <= 2 }
    #expect(try await nodes[0].listed().allSatisfy { !$0.hasPrefix("b-") })
    try await nodes[2].sessions.end(second.session)
    #expect(try await stopped.sessions.find(second.session) == nil)
    // When it goes on it learns what it has missed, and is waited for again.
    stopped.control.goOn()
    await stopped.lease()
    #expect(try await stopped.tokens.find(first.tokens.accessToken) == nil)
    #expect(try await stopped.isWarm { try await stopped.tokens.find(second.tokens.accessToken) != nil })
    try await nodes[0].waitUntilListed(3)
    #expect(nodes[0].hasGivenUp("b-"))
    try await nodes.close()
  }

  @Test("SE-04: a server that loses the notice of an end learns of it by its next question, before the call returns")
  func lostNotice() async throws {
    let nodes = try await SharedNodes()
    // A server that has no time to ask is given up, as a stopped one is. One that hears nothing is not, if it asks in time.
    var isWaitedFor = false
    for round in 0..<30 where !isWaitedFor {
      try await nodes[0].waitUntilListed(3)
      let things = try await Self.things(nodes[0], "user\(round)")
      nodes[1].control.loseNotices(false)
      #expect(try await nodes[1].isWarm { try await nodes[1].tokens.find(things.tokens.accessToken) != nil })
      nodes[1].control.loseNotices()
      nodes[0].notes.withLock { $0 = [] }
      try await nodes[0].tokens.revoke(things.tokens.renewal)
      #expect(try await nodes[1].tokens.find(things.tokens.accessToken) == nil)
      isWaitedFor = try await nodes[0].listed().count == 3 && !nodes[0].hasGivenUp("b-")
    }
    #expect(isWaitedFor)
    try await nodes.close()
  }

  @Test("SE-04: what was read before an end does not become an entry of a cache after it")
  func staleRead() async throws {
    let nodes = try await SharedNodes()
    let things = try await Self.things(nodes[0], "ann")
    let (node, now) = (nodes[1], nodes.clock.now)
    let hash = try #require(TokenHash(presented: things.tokens.accessToken))
    // A lease may end, and caches be emptied, meanwhile.
    var fill: (stamp: CacheStamp, record: AccessTokenRecord)?
    try await waitUntil("a read that may be kept") {
      guard let stamp = node.storage.stamp else { return false }
      let found = try await node.storage.read { db in try AccessTokenRecord.find(hash, now: now, in: db) }
      fill = (stamp, try #require(found))
      return stamp.mayBeKept
    }
    let (stamp, record) = try #require(fill)
    try await nodes[0].tokens.revoke(things.tokens.renewal)
    #expect(!stamp.mayBeKept)
    TokenCache.of(node.storage).insert(record, for: hash, stamp: stamp)
    #expect(try await node.tokens.find(things.tokens.accessToken) == nil)
    try await nodes.close()
  }

  @Test(
    "OP-06: connections that are ended are made again: nothing is believed meanwhile, and caches are used afterwards")
  func reconnected() async throws {
    let nodes = try await SharedNodes()
    let things = try await Self.things(nodes[0], "ann")
    for round in 0..<3 {
      for node in nodes.nodes {
        #expect(try await node.isWarm { try await node.tokens.find(things.tokens.accessToken) != nil }, "\(round)")
      }
      let other = try await Self.things(nodes[0], "other\(round)")
      for node in nodes.nodes { #expect(try await node.tokens.find(other.tokens.accessToken) != nil) }
      async let ended: Bool = nodes[1].tokens.revoke(grantID: other.tokens.grant.id)
      _ = try await nodes.server.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ostiary leases';")
      #expect(try await ended)
      for node in nodes.nodes { #expect(try await node.tokens.find(other.tokens.accessToken) == nil) }
    }
    try await nodes.close()
  }

  @Test("OP-10: on another timeline what was cached is forgotten, and numbers begin again")
  func timeline() async throws {
    let nodes = try await SharedNodes()
    let things = try await Self.things(nodes[0], "ann")
    for node in nodes.nodes {
      #expect(try await node.isWarm { try await node.tokens.find(things.tokens.accessToken) != nil })
    }
    try await nodes.server.stop()
    try await nodes.server.startOnNewTimeline()
    // As if the end was not numbered there.
    _ = try await nodes.server.execute("DELETE FROM grants WHERE id = \(things.tokens.grant.id);")
    for node in nodes.nodes {
      try await node.leaseOnNextTimeline()
      #expect(try await node.tokens.find(things.tokens.accessToken) == nil)
      #expect(node.timelines == [2])
    }
    let next = try await Self.things(nodes[0], "next")
    for node in nodes.nodes {
      #expect(try await node.isWarm { try await node.tokens.find(next.tokens.accessToken) != nil })
    }
    try await nodes[2].tokens.revoke(next.tokens.renewal)
    for node in nodes.nodes { #expect(try await node.tokens.find(next.tokens.accessToken) == nil) }
    try await nodes.close()
  }

  @Test("OP-10: what has ended shortly before another timeline is ended again, where that has lost it")
  func endedAgain() async throws {
    let nodes = try await SharedNodes()
    let (first, second) = (try await Self.things(nodes[0], "one"), try await Self.things(nodes[0], "two"))
    try await nodes[0].tokens.revoke(first.tokens.renewal)
    try await nodes[0].sessions.end(first.session)
    try await nodes[0].tokens.revoke(second.tokens.accessToken)
    try await nodes[0].sessions.update(second.session) { $0["n"] = 1 }
    try await nodes.server.stop()
    try await nodes.server.startOnNewTimeline()
    let node = nodes[1]
    try await node.leaseOnNextTimeline()
    let lost = node.lost.withLock { $0 }
    #expect(Set(lost.map(\.end.kind)) == [.family, .session, .tokens, .sessionData])
    // As a primary has it that has lost the ends: the grant and the session are others' ids, that is all.
    let kept = lost.map { heard -> HeardEnd in
      let subject =
        switch heard.end.kind {
        case .family: "\(second.tokens.grant.id)"
        case .session: ServerSessionKey(second.session.reveal())?.data.base64URL ?? ""
        default: heard.end.subject
        }
      let end = LeaseEnd(number: heard.end.number, kind: heard.end.kind, subject: subject)
      return HeardEnd(end: end, at: nodes.clock.now.timeIntervalSince1970)
    }
    let again = EndsAgain(storage: node.storage, clock: nodes.clock, logger: node.world.log.logger)
    // A grant that was made later may have the same id.
    await again.run(kept.map { HeardEnd(end: $0.end, at: $0.at - 3600) }.filter { $0.end.kind == .family })
    #expect(try await nodes[0].tokens.refresh(second.tokens.renewal, client: second.client).tokens != nil)
    #expect(try await nodes[0].sessions.find(second.session) != nil)
    await again.run(kept)
    for node in nodes.nodes {
      #expect(try await node.tokens.refresh(second.tokens.renewal, client: second.client).refusal == .unknown)
      #expect(try await node.sessions.find(second.session) == nil)
    }
    try await nodes.close()
  }

  @Test("OP-06: a transaction of a process that was stopped does not hold its locks for long")
  func idle() async throws {
    let nodes = try await SharedNodes()
    let limit = try await nodes[0].storage.read { db in
      try db.test.first(String.self, "SELECT current_setting('idle_in_transaction_session_timeout')")
    }
    #expect(limit == "10s")
    try await nodes.close()
  }

  @Test("OP-10: 200 ends at once on three servers: none fails, and all are ended everywhere")
  func many() async throws {
    let nodes = try await SharedNodes()
    var all: [IssuedTokens] = []
    for _ in 0..<100 { all.append(try await nodes[0].world.issue()) }
    let tokens = all
    var begun: [Secret] = []
    for _ in 0..<100 { begun.append(try await nodes[0].sessions.beginGuest().id) }
    let sessions = begun
    // Transactions that find out on their way that something has to end.
    var stolen: [Secret] = []
    for _ in 0..<20 {
      let first = try await nodes[0].world.family()
      _ = try await nodes[0].world.rotate(try await nodes[0].world.rotate(first))
      stolen.append(first)
    }
    nodes.clock.advance(by: .seconds(600))
    let reused = stolen
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask { try await nodes[number % 3].tokens.revoke(tokens[number].renewal) }
        group.addTask { try await nodes[(number + 1) % 3].sessions.end(sessions[number]) }
      }
      for number in reused.indices {
        group.addTask {
          let refusal = try await nodes[number % 3].world.refresh(reused[number]).refusal
          #expect(refusal == .reused)
        }
      }
      try await group.waitForAll()
    }
    for node in nodes.nodes {
      for number in 0..<100 {
        #expect(try await node.tokens.find(tokens[number].accessToken) == nil)
        #expect(try await node.sessions.find(sessions[number]) == nil)
      }
    }
    try await nodes.close()
  }

  @Test("OP-10: changes at once on three servers: none is lost, though they run beside each other")
  func noneLost() async throws {
    let nodes = try await SharedNodes()
    let id = try await nodes[0].sessions.beginGuest(attributes: ["n": 0]).id
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          try await nodes[number % 3].sessions.update(id) { attributes in
            if case .integer(let n)? = attributes["n"] { attributes["n"] = .integer(n + 1) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await nodes[1].sessions.find(id)?.attributes == ["n": 60])
    try await nodes.close()
  }

  @Test("OP-10: a server that does not hear its own probe looks everything up, says so, and no end waits for it")
  func behindPooler() async throws {
    let nodes = try await SharedNodes()
    let control = LeaseControl()
    control.standBehindPooler()
    let deaf = try await SharedNode(nodes.server.database(nodes.files), "deaf", clock: nodes.clock, control: control)
    let things = try await Self.things(nodes[0], "ann")
    try await waitUntil("the note that it hears nothing") { deaf.notes.withLock { $0.contains(.deaf) } }
    for _ in 0..<5 {
      let before = deaf.recorder.count
      #expect(try await deaf.tokens.find(things.tokens.accessToken) != nil)
      #expect(deaf.recorder.count > before)
    }
    #expect(!deaf.holdsLease)
    try await deaf.waitUntilListed(3)
    #expect(try await deaf.listed().allSatisfy { !$0.hasPrefix("deaf-") })
    try await waitUntil("it among the servers") {
      try await deaf.storage.nodes().contains { $0.id.hasPrefix("deaf-") }
    }
    try await nodes[0].tokens.revoke(things.tokens.renewal)
    #expect(try await deaf.tokens.find(things.tokens.accessToken) == nil)
    try await deaf.storage.close()
    try await nodes.close()
  }

  @Test("OP-07: a server whose clock is more than two seconds from the database's is not ready, and says why")
  func clock() async throws {
    let nodes = try await SharedNodes()
    let keeper = try #require(nodes[0].storage.keeper)
    let cases: [(Double, String?)] = [(30, "ahead of the database's"), (-30, "behind the database's"), (0, nil)]
    for (ahead, cause) in cases {
      nodes[0].control.setClock(ahead: ahead)
      try await waitUntil("the difference of the clocks") { abs((keeper.clockDifference ?? 1000) + ahead) <= 1 }
      let state = OstiaryApplication.clockState(keeper.clockDifference)
      switch state {
      case .failed(let said): #expect(cause.map { said.contains($0) } == true)
      default: #expect(cause == nil)
      }
    }
    #expect(OstiaryApplication.clockState(nil) == nil && OstiaryApplication.clockState(1.9) == nil)
    try await nodes.close()
  }

  @Test("OP-10: a process that is no server ends things for all, and is on no list")
  func command() async throws {
    let nodes = try await SharedNodes()
    let things = try await Self.things(nodes[0], "ann")
    let command = try await SharedNode(
      nodes.server.database(nodes.files), "command", clock: nodes.clock, isServing: false)
    for node in nodes.nodes {
      #expect(try await node.isWarm { try await node.sessions.find(things.session) != nil })
    }
    try await command.world.identity.identity.disableUser(named: "ann")
    for node in nodes.nodes { #expect(try await node.sessions.find(things.session) == nil) }
    #expect(try await command.storage.nodes().count == 3)
    try await command.storage.close()
    // A server that stops takes itself off.
    try await nodes[2].storage.close()
    #expect(try await nodes[0].storage.nodes().count == 2)
    try await nodes.close()
  }
}
