import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// What a failover has lost of users who were disabled, or got a new password.
@Suite(
  "Users after a failover", .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"),
  .timeLimit(.minutes(5)))
struct LostUserChangesTests {
  /// A user's session and token.
  private struct Things {
    let user: User
    let session: Secret
    let tokens: IssuedTokens
  }

  private static func things(_ name: String, on node: SharedNode) async throws -> Things {
    let user = try await node.world.identity.identity.addUser(name: name, password: IdentityWorld.password)
    let tokens = try #require(try await node.tokens.issue(node.world.request(user: user)).tokens)
    return Things(user: user, session: try await node.sessions.begin(for: user).id, tokens: tokens)
  }

  /// Waits until every server has heard of all ends.
  static func heard(_ nodes: SharedNodes) async throws {
    let storage = nodes[0].storage
    try await waitUntil("every server to have heard of all ends") {
      let newest = try await storage.read { db in try db.test.first(Int64.self, "SELECT number FROM ends_counter") }
      let listed = try await storage.nodes().filter { $0.shown != nil }
      return listed.count == 3 && listed.allSatisfy { $0.applied ?? -1 >= newest ?? 0 }
    }
  }

  @Test(
    "SE-06, OP-10: who was disabled before a failover that lost it is disabled again; of a lost password the sessions end"
  )
  func failover() async throws {
    let nodes = try await SharedNodes()
    let identity = nodes[0].world.identity.identity
    var all: [String: Things] = [:]
    for name in ["disabled", "password", "enabled", "kept", "earlier"] {
      all[name] = try await Self.things(name, on: nodes[0])
    }
    // What survives: it was enabled again, and is not to be disabled by what is heard.
    try await identity.disableUser(named: "earlier")
    try await identity.enableUser(named: "earlier")
    try await nodes.server.save()

    try await identity.disableUser(named: "disabled")
    try await identity.setPassword("another fine long password", forUserNamed: "password")
    try await identity.disableUser(named: "enabled")
    try await identity.enableUser(named: "enabled")
    try await Self.heard(nodes)
    try await nodes.server.failOver()
    let node = nodes[1]
    try await node.leaseOnNextTimeline()
    let lost = node.lost.withLock { $0 }
    let kinds = lost.map(\.end.kind).filter { [.userDisabled, .userEnabled, .newPassword].contains($0) }
    #expect(kinds == [.userDisabled, .userEnabled, .userDisabled, .newPassword, .userDisabled, .userEnabled])

    func isDisabled(_ name: String) async throws -> Bool? { try await identity.user(named: name)?.isDisabled }
    func isSignedIn(_ name: String) async throws -> [Bool] {
      let session = try #require(all[name]).session
      var found: [Bool] = []
      for node in nodes.nodes { found.append(try await node.sessions.find(session) != nil) }
      return found
    }
    // The failover has lost all of it.
    for name in ["disabled", "password", "enabled", "kept"] {
      #expect(try await isDisabled(name) == false, "\(name)")
      #expect(try await isSignedIn(name) == [true, true, true], "\(name)")
    }
    let back = try await node.sessions.begin(for: try #require(try await identity.user(named: "earlier"))).id

    let log = LogRecorder()
    let again = EndsAgain(storage: node.storage, clock: nodes.clock, logger: log.logger)
    await again.run(lost)
    #expect(try await isDisabled("disabled") == true)
    for name in ["password", "enabled", "kept", "earlier"] { #expect(try await isDisabled(name) == false, "\(name)") }
    for name in ["disabled", "password", "enabled"] {
      #expect(try await isSignedIn(name) == [false, false, false], "\(name)")
    }
    #expect(try await isSignedIn("kept") == [true, true, true])
    #expect(try await node.sessions.find(back) != nil)
    let token = try #require(all["disabled"]).tokens.accessToken
    for node in nodes.nodes { #expect(try await node.tokens.find(token) == nil) }
    let warned = log.records.filter { $0.message.contains("new password was lost") }.compactMap { $0.metadata["user"] }
    #expect(warned == [try #require(all["password"]).user.id])

    // The other servers do the same, some later than others: nothing more happens, also to who has signed in since.
    try await identity.enableUser(named: "disabled")
    for name in ["disabled", "password", "enabled"] {
      let user = try #require(try await identity.user(named: name))
      all[name] = Things(
        user: user, session: try await node.sessions.begin(for: user).id, tokens: try #require(all[name]).tokens)
    }
    await again.run(lost)
    for name in ["disabled", "password", "enabled"] {
      #expect(try await isDisabled(name) == false, "\(name)")
      #expect(try await isSignedIn(name) == [true, true, true], "\(name)")
    }
    try await nodes.close()
  }

  @Test("OP-10: users whose new password is lost are told before the next ones are looked for, which may fail")
  func told() async throws {
    let nodes = try await SharedNodes()
    var all: [Things] = []
    for number in 0..<9 { all.append(try await Self.things("user\(number)", on: nodes[0])) }
    let heard = all.compactMap { LostUserChanges.Heard(.newPassword, $0.user.nextGeneration.subject) }
    let (sessions, last, told) = (nodes[0].sessions, all[8].session, Locked<[[String]]>([]))
    try await LostUserChanges(storage: nodes[0].storage, clock: nodes.clock).makeAgain(heard) { ids in
      let isFirst = told.withLock { told in
        told.append(ids)
        return told.count == 1
      }
      let session = try? await sessions.find(last)
      #expect((session != nil) == isFirst)
    }
    let ids = all.map(\.user.id)
    #expect(told.withLock { $0 } == [Array(ids[..<8]), [ids[8]]])
    try await nodes.close()
  }

  @Test("OP-10: a user's end names the user and the generation since, and another text is none")
  func subject() {
    let user = EndedUser("a b", generation: 12)
    #expect(user.subject == "12 a b" && EndedUser(subject: user.subject) == user)
    for wrong in ["", "a", "12", "x a"] { #expect(EndedUser(subject: wrong) == nil, "\(wrong)") }
    var things = EndedThings()
    for kind in [StorageEnd.Kind.userDisabled, .userEnabled, .newPassword] { things.add(kind, "3 \(kind)") }
    #expect(things.users == ["userDisabled", "userEnabled", "newPassword"] && !things.isEverything)
    things.add(.userDisabled, "unreadable")
    #expect(things.isEverything)
  }
}
