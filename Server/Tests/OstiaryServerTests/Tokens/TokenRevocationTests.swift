import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Revocation of tokens", .timeLimit(.minutes(20)))
struct TokenRevocationTests {
  @Test("An access token is revoked alone, a refresh token with all that came of it")
  func extent() async throws {
    let world = try await TokenWorld()
    let issued = try await world.issue()
    let renewed = try #require(try await world.refresh(issued.renewal).tokens)
    #expect(try await world.tokens.revoke(issued.accessToken, client: world.client) == .access)
    #expect(try await world.isAlive(issued.accessToken) == false)
    #expect(try await world.isAlive(renewed.accessToken))
    let last = try #require(try await world.refresh(renewed.renewal).tokens)
    #expect(try await world.tokens.revoke(last.renewal, client: world.client) == .refresh)
    for access in [renewed.accessToken, last.accessToken] { #expect(try await world.isAlive(access) == false) }
    #expect(try await world.refresh(last.renewal).refusal == .unknown)
  }

  @Test("A client that has lost the successor signs out with the token that it has")
  func revokeWithSpentToken() async throws {
    let world = try await TokenWorld()
    let first = try await world.family()
    let lost = try #require(try await world.refresh(first).tokens)
    #expect(try await world.tokens.revoke(first) == .refresh)
    #expect(try await world.isAlive(lost.accessToken) == false)
    #expect(try await world.refresh(lost.renewal).refusal == .unknown)
  }

  @Test("TK-06: revoking an unknown token, or another client's, does nothing")
  func foreign() async throws {
    let world = try await TokenWorld()
    let other = try await world.otherClient()
    let issued = try await world.issue()
    let refresh = issued.renewal
    #expect(try await world.tokens.revoke("ost_at_unknown", client: other) == nil)
    #expect(try await world.tokens.revoke(issued.accessToken, client: other) == nil)
    #expect(try await world.tokens.revoke(refresh, client: other) == nil)
    #expect(try await world.tokens.introspect(issued.accessToken, client: other) == nil)
    #expect(try await world.tokens.introspect(refresh, client: other) == nil)
    #expect(try await world.isAlive(issued.accessToken))
    #expect(try await world.refresh(refresh).tokens != nil)
  }

  @Test("RT-05: a revocation that races refreshes leaves nothing alive behind", arguments: [true, false])
  func race(rotates: Bool) async throws {
    let folder = TemporaryFolder()
    let world = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url)) {
      $0.rotatesRefreshTokens = rotates
    }
    let other = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url), clock: world.clock)
    for round in 0..<15 {
      let issued = try await world.issue()
      let token = issued.renewal
      let answers = try await withThrowingTaskGroup(of: IssuedTokens?.self) { group in
        for caller in 0..<6 {
          group.addTask { try await (caller % 2 == 0 ? world : other).refresh(token).tokens }
        }
        group.addTask {
          _ = try await (round % 2 == 0 ? world : other).tokens.revoke(token)
          return nil
        }
        return try await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
      }
      for answer in answers + [issued] {
        #expect(try await world.isAlive(answer.accessToken) == false)
        #expect(try await other.isAlive(answer.accessToken) == false)
        #expect(try await world.refresh(answer.refreshToken ?? token).refusal == .unknown)
      }
    }
    try await world.storage.close()
    try await other.storage.close()
  }

  @Test("RT-05: what one server revokes, another on the same folder lets in no more")
  func otherProcess() async throws {
    let folder = TemporaryFolder()
    let world = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url))
    let other = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url), clock: world.clock)
    for _ in 0..<10 {
      let issued = try await world.issue()
      #expect(try await other.isAlive(issued.accessToken))
      #expect(try await other.isAlive(issued.accessToken))
      try await world.tokens.revoke(issued.renewal)
      #expect(try await other.isAlive(issued.accessToken) == false)
    }
    let issued = try await world.issue()
    #expect(try await other.isAlive(issued.accessToken))
    try await world.clients.setDisabled(true, clientID: "app")
    #expect(try await other.isAlive(issued.accessToken) == false)
    #expect(try await other.refresh(issued.renewal).refusal == .clientDisabled)
    try await world.clients.setDisabled(false, clientID: "app")
    #expect(try await other.isAlive(issued.accessToken))
    try await world.storage.close()
    try await other.storage.close()
  }

  @Test("RT-05: what a server has issued, and another revokes, is not let in from memory", arguments: [false, true])
  func issuedHere(hasLooked: Bool) async throws {
    let folder = TemporaryFolder()
    let world = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url))
    let other = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url), clock: world.clock)
    let first = try await world.issue()
    if hasLooked { #expect(try await world.isAlive(first.accessToken)) }
    // Entries of before and after another server's change that this one has not seen.
    for _ in 0..<5 {
      let before = try await world.issue()
      try await other.tokens.revoke(try await other.issue().renewal)
      let after = try await world.issue()
      try await other.tokens.revoke(before.renewal)
      try await other.tokens.revoke(after.renewal)
      #expect(try await world.isAlive(before.accessToken) == false)
      #expect(try await world.isAlive(after.accessToken) == false)
    }
    #expect(try await world.isAlive(first.accessToken))
    try await world.storage.close()
    try await other.storage.close()
  }

  @Test("RT-10: all of a user's tokens end together, or those for one client, and codes not yet redeemed")
  func allOfAUser() async throws {
    let world = try await TokenWorld()
    let other = try await world.otherClient()
    let mine = try await world.issue()
    let theirs = try #require(try await world.tokens.issue(world.request(client: other)).tokens)
    let code = try #require(
      try await world.tokens.issueCode(
        CodeRequest(grant: world.request(), redirectURI: nil, challenge: CodeTests.challenge)
      ).code)
    #expect(try await world.tokens.grants(userID: world.user.id).count == 2)
    #expect(try await world.tokens.revokeAll(userID: world.user.id, clientID: "app") == 1)
    #expect(try await world.isAlive(mine.accessToken) == false)
    #expect(try await world.isAlive(theirs.accessToken))
    let redeemed = try await world.tokens.redeem(
      code: code, client: world.client, redirectURI: nil, verifier: CodeTests.verifier)
    #expect(redeemed.refusal == .unknown)
    #expect(try await world.tokens.revokeAll(userID: world.user.id) == 1)
    #expect(try await world.isAlive(theirs.accessToken) == false)
    #expect(try await world.tokens.grants(userID: world.user.id).isEmpty)
  }

  @Test("All of a client's tokens end together, and with the client")
  func allOfAClient() async throws {
    let world = try await TokenWorld()
    let first = try await world.issue()
    #expect(try await world.tokens.revokeAll(clientID: "app") == 1)
    #expect(try await world.isAlive(first.accessToken) == false)
    let second = try await world.issue()
    #expect(try await world.clients.remove("app"))
    #expect(try await world.isAlive(second.accessToken) == false)
    #expect(try await world.refresh(second.renewal).refusal == .unknown)
    #expect(try await world.tokens.issue(world.request()).refusal == .clientDisabled)
  }

  @Test("RT-10: by policy a new password ends a user's tokens, or leaves them", arguments: [true, false])
  func newPassword(ends: Bool) async throws {
    let world = try await TokenWorld { $0.endsWithPassword = ends }
    let issued = try await world.issue()
    #expect(try await world.isAlive(issued.accessToken))
    try await world.identity.identity.setPassword("another long password of hers", forUserNamed: "ada")
    #expect(try await world.isAlive(issued.accessToken) == !ends)
    #expect(try await world.refresh(issued.renewal).refusal == (ends ? .userChanged : nil))
  }

  @Test(
    "RT-10: a disabled user's tokens are refused; by policy they come back with the user", arguments: [true, false])
  func disabledUser(ends: Bool) async throws {
    let world = try await TokenWorld { $0.endsWithPassword = ends }
    let issued = try await world.issue()
    let token = issued.renewal
    #expect(try await world.isAlive(issued.accessToken))
    try await world.identity.identity.disableUser(named: "ada")
    #expect(try await world.isAlive(issued.accessToken) == false)
    #expect(try await world.tokens.introspect(token) == nil)
    #expect(try await world.refresh(token).refusal == .userDisabled)
    #expect(try await world.tokens.issue(world.request()).refusal == .userDisabled)
    try await world.identity.identity.enableUser(named: "ada")
    #expect(try await world.isAlive(issued.accessToken) == !ends)
    #expect(try await world.refresh(token).refusal == (ends ? .userChanged : nil))
    // A sign-in before that was another user's.
    #expect(try await world.tokens.issue(world.request()).refusal == .userChanged)
  }

  @Test("One approval more than a user may have for a client ends the oldest, silently")
  func approvals() async throws {
    let world = try await TokenWorld { $0.mostApprovalsPerUser = 5 }
    let other = try await world.otherClient()
    let elsewhere = try #require(try await world.tokens.issue(world.request(client: other)).tokens)
    var issued: [IssuedTokens] = []
    for _ in 0..<7 {
      issued.append(try await world.issue())
      // An access token alone is no approval.
      _ = try await world.issue(refresh: false)
    }
    for (index, tokens) in issued.enumerated() {
      #expect(try await world.isAlive(tokens.accessToken) == (index >= 2))
      #expect(try await world.refresh(tokens.renewal).refusal == (index >= 2 ? nil : .unknown))
    }
    #expect(try await world.isAlive(elsewhere.accessToken))
    #expect(world.securityEvents.isEmpty)
  }
}
