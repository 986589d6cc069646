import Foundation
import Logging
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Refresh tokens", .timeLimit(.minutes(20)))
struct RefreshTests {
  @Test("RT-01: every use replaces the token, and the old one is good for nothing outside the window")
  func rotation() async throws {
    let world = try await TokenWorld()
    let first = try await world.family()
    let second = try await world.rotate(first)
    let third = try await world.rotate(second)
    #expect(Set([first, second, third]).count == 3)
    world.clock.advance(by: .seconds(59))
    #expect(try await world.refresh(first).tokens?.refreshToken == second)
    world.clock.advance(by: .seconds(1))
    #expect(try await world.refresh(first).refusal == .reused)
  }

  @Test("RT-01: without rotation the token stays, and the client is told of no other")
  func noRotation() async throws {
    let world = try await TokenWorld { $0.rotatesRefreshTokens = false }
    let token = try await world.family()
    var access: Set<Secret> = []
    for _ in 0..<5 {
      let tokens = try #require(try await world.refresh(token).tokens)
      #expect(tokens.refreshToken == nil)
      #expect(tokens.grant.hasRefreshToken)
      #expect(try await world.isAlive(tokens.accessToken))
      access.insert(tokens.accessToken)
      world.clock.advance(by: .seconds(100))
    }
    #expect(access.count == 5)
  }

  @Test("RT-02: reuse outside the window ends the family with its access tokens, once, and is logged")
  func reuse() async throws {
    let world = try await TokenWorld()
    let issued = try await world.issue()
    let other = try await world.issue()
    let first = issued.renewal
    let renewed = try #require(try await world.refresh(first).tokens)
    world.clock.advance(by: .seconds(60))
    #expect(try await world.isAlive(issued.accessToken))
    #expect(try await world.isAlive(renewed.accessToken))

    #expect(try await world.refresh(first).refusal == .reused)
    #expect(try await world.isAlive(issued.accessToken) == false)
    #expect(try await world.isAlive(renewed.accessToken) == false)
    #expect(try await world.refresh(renewed.renewal).refusal == .unknown)
    #expect(try await world.refresh(first).refusal == .unknown)
    // Another family of the same user and client has nothing to do with it.
    #expect(try await world.isAlive(other.accessToken))
    #expect(try await world.refresh(other.renewal).tokens != nil)

    let event = try #require(world.securityEvents.first)
    #expect(world.securityEvents.count == 1)
    #expect(event.level == .warning)
    #expect(event.metadata["client"] == "app" && event.metadata["user"] == world.user.id)
    for secret in [first, issued.accessToken, renewed.renewal] {
      #expect(!world.log.text.contains(secret.reveal()))
    }
  }

  @Test("RT-02: a token spent long ago, which is remembered nowhere, still ends the family")
  func ancientReuse() async throws {
    let world = try await TokenWorld()
    let first = try await world.family()
    var token = first
    for _ in 0..<300 {
      token = try await world.rotate(token)
      world.clock.advance(by: .seconds(30))
    }
    #expect(try await world.refresh(first).refusal == .reused)
    #expect(try await world.refresh(token).refusal == .unknown)
    #expect(world.securityEvents.count == 1)
  }

  @Test("RT-03: in the window the same successor comes again, with the same access token, never another branch")
  func replay() async throws {
    let world = try await TokenWorld()
    let first = try await world.family()
    let answer = try #require(try await world.refresh(first).tokens)
    #expect(!answer.isReplay)
    for _ in 0..<5 {
      world.clock.advance(by: .seconds(5))
      let again = try #require(try await world.refresh(first).tokens)
      #expect(again.isReplay)
      #expect(again.refreshToken == answer.refreshToken)
      #expect(again.accessToken == answer.accessToken)
      #expect(again.issuedAt == answer.issuedAt)
    }
    // Also when the successor has been used: the old token may have been on its way for long.
    let successor = answer.renewal
    let third = try await world.rotate(successor)
    #expect(try await world.refresh(first).tokens?.refreshToken == successor)
    #expect(try await world.refresh(successor).tokens?.refreshToken == third)
    #expect(try await world.refresh(third).tokens != nil)
  }

  @Test("RT-03: a replay after its access token has been revoked, or for other scopes, has a new one")
  func replayOfDeadAccess() async throws {
    let world = try await TokenWorld()
    let first = try await world.family()
    let answer = try #require(try await world.refresh(first).tokens)
    let narrow = try #require(try await world.refresh(first, scopes: ["api"]).tokens)
    #expect(narrow.accessToken != answer.accessToken && narrow.scopes == ["api"])
    #expect(narrow.refreshToken == answer.refreshToken)
    try await world.tokens.revoke(answer.accessToken)
    let again = try #require(try await world.refresh(first).tokens)
    #expect(again.refreshToken == answer.refreshToken && again.accessToken != answer.accessToken)
    #expect(try await world.isAlive(again.accessToken))
    #expect(try await world.isAlive(answer.accessToken) == false)
  }

  @Test("RT-06: with patience, a successor that nobody has used comes again after any time")
  func patience() async throws {
    let world = try await TokenWorld { $0.replaysUntilSuccessorIsUsed = true }
    let first = try await world.family()
    let second = try await world.rotate(first)
    world.clock.advance(by: .seconds(10 * 24 * 3600))
    #expect(try await world.refresh(first).tokens?.refreshToken == second)
    let third = try await world.rotate(second)
    // Its use has shown that it arrived.
    world.clock.advance(by: .seconds(59))
    #expect(try await world.refresh(first).tokens?.refreshToken == second)
    world.clock.advance(by: .seconds(1))
    #expect(try await world.refresh(second).tokens?.refreshToken == third)
    #expect(try await world.refresh(first).refusal == .reused)
    #expect(try await world.refresh(third).refusal == .unknown)
  }

  @Test("RT-07: many callers with one token at once all get the same successor")
  func concurrency() async throws {
    let folder = TemporaryFolder()
    let world = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url))
    // A second server on the same folder.
    let other = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url), clock: world.clock)
    var token = try await world.family()
    for _ in 0..<10 {
      let presented = token
      let answers = try await withThrowingTaskGroup(of: TokenDecision.self) { group in
        for caller in 0..<32 {
          group.addTask { try await (caller % 2 == 0 ? world : other).refresh(presented) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0.tokens != nil })
      #expect(Set(answers.compactMap { $0.tokens?.refreshToken }).count == 1)
      #expect(Set(answers.compactMap { $0.tokens?.accessToken }).count == 1)
      #expect(answers.count { $0.tokens?.isReplay == false } == 1)
      token = try #require(answers.first?.tokens?.refreshToken)
    }
    try await world.storage.close()
    try await other.storage.close()
  }

  @Test("RT-08: a refresh token ends after too long without use, and at the latest after its absolute time")
  func lifetimes() async throws {
    let world = try await TokenWorld {
      $0.refreshIdle = .seconds(1000)
      $0.refreshAbsolute = .seconds(3000)
    }
    let idle = try await world.family()
    world.clock.advance(by: .seconds(1000))
    #expect(try await world.refresh(idle).refusal == .expired)

    var token = try await world.family()
    for _ in 0..<3 {
      world.clock.advance(by: .seconds(999))
      token = try await world.rotate(token)
    }
    world.clock.advance(by: .seconds(2))
    #expect(try await world.refresh(token).tokens != nil)
    world.clock.advance(by: .seconds(1))
    #expect(try await world.refresh(token).refusal == .expired)
  }

  @Test("RT-09: a refresh token is bound to its client, and gives no scope that was not granted")
  func binding() async throws {
    let world = try await TokenWorld()
    let thief = try await world.otherClient()
    let token = try await world.family()
    #expect(try await world.tokens.refresh(token, client: thief).refusal == .otherClient)
    #expect(try await world.refresh(token, scopes: ["api", "admin"]).refusal == .scopeTooWide)
    let narrow = try #require(try await world.refresh(token, scopes: ["api"]).tokens)
    #expect(narrow.scopes == ["api"])
    #expect(try await world.tokens.find(narrow.accessToken)?.scopes == ["api"])
    // The family keeps what was granted.
    let wide = try #require(try await world.refresh(narrow.renewal).tokens)
    #expect(wide.scopes == TokenWorld.scopes)
    // A spent token of another client's ends nothing either.
    world.clock.advance(by: .seconds(61))
    #expect(try await world.tokens.refresh(token, client: thief).refusal == .otherClient)
    #expect(try await world.refresh(wide.renewal).tokens != nil)
  }

  @Test("RT-13: rotations in one second are distinguishable")
  func sameSecond() async throws {
    let world = try await TokenWorld()
    var token = try await world.family()
    var seen: Set<Secret> = [token]
    for _ in 0..<50 {
      let next = try await world.rotate(token)
      #expect(seen.insert(next).inserted)
      #expect(try await world.refresh(token).tokens?.refreshToken == next)
      token = next
    }
  }

  @Test("A text that isn't a token, or is one that got damaged, ends nothing")
  func damaged() async throws {
    let world = try await TokenWorld()
    let token = try await world.family()
    let text = token.reveal()
    var damaged = [
      "", "x", text + "A", String(text.dropLast()), "x" + text, text.uppercased(), text.replacing("ost_rt_", with: ""),
      "ost_rt_" + String(repeating: "A", count: 72), String(repeating: "é", count: 72), text + "\u{0}",
      String(repeating: "A", count: 1_000_000),
    ]
    for index in text.indices where text.distance(from: text.startIndex, to: index) % 7 == 0 {
      damaged.append(text.replacingCharacters(in: index...index, with: text[index] == "B" ? "C" : "B"))
    }
    for text in damaged {
      #expect(try await world.refresh(Secret(text)).refusal == .unknown)
      #expect(try await world.tokens.revoke(Secret(text)) == nil)
    }
    #expect(try await world.refresh(token).tokens != nil)
  }

  @Test("A vendor's prefixes are kept through rotation and replay")
  func prefixes() async throws {
    let world = try await TokenWorld()
    var request = world.request()
    request.prefixes = TokenPrefixes(access: "00Dxx0000000001!", refresh: "5Aep861")
    request.attributes = ["org": "00Dxx0000000001"]
    let issued = try #require(try await world.tokens.issue(request).tokens)
    var token = issued.renewal
    for _ in 0..<3 {
      let answer = try #require(try await world.refresh(token).tokens)
      #expect(answer.accessToken.reveal().hasPrefix("00Dxx0000000001!"))
      #expect(answer.accessToken.reveal().utf8.count == 16 + 43)
      #expect(answer.grant.attributes == ["org": "00Dxx0000000001"])
      token = answer.renewal
      #expect(token.reveal().hasPrefix("5Aep861"))
      #expect(token.reveal().utf8.count == 7 + 72)
    }
  }
}
