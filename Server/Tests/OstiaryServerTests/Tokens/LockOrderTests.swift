import Foundation
import OstiaryCore
import OstiaryPostgreSQL
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// Transactions that issue and end things of one user lock their rows in one order (`StorageStatement.locking`), so that no two wait
/// for each other: PostgreSQL would end one of them, after a second.
@Suite(
  "The order of locks", .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"), .serialized,
  .timeLimit(.minutes(5)))
struct LockOrderTests {
  /// Two calls that need the same rows, and the row that a third has while they begin.
  enum Pair: CaseIterable, Sendable {
    case codeAndPassword, deviceAndPassword, sessionAndPassword, codeAndClient, useAndRevocation

    /// Locks a row that both calls come to.
    var held: String {
      switch self {
      case .codeAndPassword, .codeAndClient: "SELECT 1 FROM authorization_codes FOR UPDATE"
      case .deviceAndPassword: "SELECT 1 FROM device_codes FOR UPDATE"
      case .sessionAndPassword: "SELECT 1 FROM sessions FOR UPDATE"
      case .useAndRevocation: "SELECT 1 FROM access_tokens FOR UPDATE"
      }
    }
  }

  /// The device was not approved.
  private struct Unusable: Error {}

  private typealias Call = @Sendable () async throws -> Void

  private static func code(_ node: SharedNode, user: User? = nil, client: ServerClient? = nil) async throws -> Secret {
    let grant = node.world.request(client: client, user: user)
    let request = CodeRequest(grant: grant, redirectURI: nil, challenge: CodeTests.challenge)
    return try #require(try await node.tokens.issueCode(request).code)
  }

  private static func redeem(_ code: Secret, at node: SharedNode, client: ServerClient) async throws -> TokenDecision {
    try await node.tokens.redeem(code: code, client: client, redirectURI: nil, verifier: CodeTests.verifier)
  }

  /// A new password that a user sets: it ends all that is theirs.
  private static func newPassword(_ user: User, _ hash: PasswordHash, at node: SharedNode) async throws -> User? {
    let (identity, now) = (node.world.identity.identity, node.world.clock.now)
    let trail = AuditTrail(of: node.storage, at: now)
    return try await node.storage.write { db in
      // As they are now: others of the test change it, too.
      guard let latest = try UserRow.find(id: user.id, in: db)?.user else { return nil }
      let changed = try identity.replacePassword(
        ofUser: latest.id, generation: latest.generation, with: hash, now: now, trail, in: db)
      if changed != nil { try ServerTokens.endAll(ofUserID: user.id, .passwordChanged, trail, in: db) }
      return changed
    }
  }

  private static func hash(_ node: SharedNode, of user: User) async throws -> PasswordHash {
    try await node.world.identity.identity.newHash(
      IdentityWorld.password, refusal: AuditEvent(.passwordRefused, .overloaded, user: user.id))
  }

  /// The two calls, the one that is to come first before the other.
  private static func calls(_ pair: Pair, _ nodes: SharedNodes) async throws -> (first: Call, second: Call) {
    let (node, other, world) = (nodes[0], nodes[1], nodes[0].world)
    let user = try await world.identity.identity.addUser(name: "\(pair)")
    let hash = try await Self.hash(node, of: user)
    let password: Call = { () async throws in #expect(try await Self.newPassword(user, hash, at: other) != nil) }
    switch pair {
    case .codeAndPassword:
      let code = try await Self.code(node, user: user)
      return (
        { () async throws in #expect(try await Self.redeem(code, at: node, client: world.client).tokens != nil) },
        password
      )
    case .deviceAndPassword:
      let device = try await node.tokens.beginDevice(world.request())
      let outcome = try await node.tokens.decideDevice(
        userCode: device.userCode, isAllowed: true, by: user, from: .unknown)
      guard case .right(true) = outcome else { throw Unusable() }
      return (
        {
          let decision = try await node.tokens.pollDevice(code: device.deviceCode, client: world.client)
          if case .issued = decision { return }
          Issue.record("the device got no tokens")
        }, password
      )
    case .sessionAndPassword:
      let session = try await node.sessions.begin(for: user).id
      return ({ _ = try await node.sessions.begin(for: user, replacing: session) }, password)
    case .codeAndClient:
      let client = try await world.otherClient()
      let code = try await Self.code(node, user: user, client: client)
      return (
        { () async throws in #expect(try await Self.redeem(code, at: node, client: client).tokens != nil) },
        { () async throws in #expect(try await other.world.clients.remove(client.id)) }
      )
    case .useAndRevocation:
      let tokens = try #require(try await node.tokens.issue(world.request(user: user)).tokens)
      let key = try #require(TokenHash(presented: tokens.accessToken))
      let now = world.clock.now
      return (
        {
          try await node.storage.writeTogether { db -> Void in
            guard var record = try AccessTokenRecord.find(key, now: now, in: db) else { return }
            record.uncounted = 3
            try record.touch(key, in: db)
          }
        }, { () async throws in #expect(try await other.tokens.revoke(tokens.renewal) == .refresh) }
      )
    }
  }

  private static func waiting(_ server: PostgreSQLServer) async throws -> Int {
    let answer = try await server.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock';")
    return Int(answer.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  private static func deadlocks(_ server: PostgreSQLServer) throws -> Int {
    try String(contentsOfFile: server.folder + "/log", encoding: .utf8).components(separatedBy: "deadlock detected")
      .count - 1
  }

  @Test("OP-10: a call that issues and one that ends, both in the way of a third, are done one after the other")
  func pairs() async throws {
    let nodes = try await SharedNodes()
    for pair in Pair.allCases {
      let (first, second) = try await Self.calls(pair, nodes)
      let third = try PostgreSQLSession(Secret(nodes.server.address))
      try third.run(script: "BEGIN; \(pair.held)")
      async let one: Void = first()
      try await waitUntil("the first to wait") { try await Self.waiting(nodes.server) >= 1 }
      async let two: Void = second()
      try await waitUntil("both to wait") { try await Self.waiting(nodes.server) >= 2 }
      try third.run(script: "COMMIT")
      try await one
      try await two
      #expect(try Self.deadlocks(nodes.server) == 0, "\(pair)")
    }
    try await nodes.close()
  }

  @Test(
    "OP-10: codes, devices, sessions, new passwords and ends of the same users at once, on three servers: no two block each other"
  )
  func many() async throws {
    let nodes = try await SharedNodes()
    var users: [User] = []
    for number in 0..<3 {
      users.append(try await nodes[0].world.identity.identity.addUser(name: "u\(number)", password: nil))
    }
    let hash = try await Self.hash(nodes[0], of: users[0])
    for round in 0..<12 {
      // As they are now: each new password changes them.
      var current: [User] = []
      for user in users { current.append(try #require(try await nodes[0].world.identity.identity.user(id: user.id))) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, user) in current.enumerated() {
          let (a, b, c) = (
            nodes[(round + number) % 3], nodes[(round + number + 1) % 3], nodes[(round + number + 2) % 3]
          )
          let codes = [try await Self.code(a, user: user), try await Self.code(a, user: user)]
          let session = try await b.sessions.begin(for: user).id
          let tokens = try #require(try await a.tokens.issue(a.world.request(user: user)).tokens)
          for (code, node) in zip(codes, [b, c]) {
            group.addTask { _ = try await Self.redeem(code, at: node, client: node.world.client) }
          }
          group.addTask { _ = try await Self.newPassword(user, hash, at: c) }
          group.addTask {
            do { _ = try await a.sessions.begin(for: user, replacing: session) } catch let error as ServerError {
              #expect(error.code == .userChanged)
            }
          }
          group.addTask { _ = try await b.tokens.refresh(tokens.renewal, client: b.world.client) }
          group.addTask {
            if number == 0 {
              _ = try await c.tokens.revokeAll(userID: user.id)
            } else {
              _ = try await c.sessions.endAll(forUserID: user.id)
            }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(try Self.deadlocks(nodes.server) == 0)
    try await nodes.close()
  }
}
