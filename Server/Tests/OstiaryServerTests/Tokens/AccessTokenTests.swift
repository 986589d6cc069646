import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Access tokens", .timeLimit(.minutes(20)))
struct AccessTokenTests {
  @Test("A fixed time ends a token however much it is used")
  func fixed() async throws {
    let world = try await TokenWorld { $0.accessLifetime = .fixed(.seconds(1000)) }
    let tokens = try await world.issue()
    #expect(tokens.expiresAt == world.clock.now.addingTimeInterval(1000))
    for _ in 0..<9 {
      world.clock.advance(by: .seconds(100))
      #expect(try await world.isAlive(tokens.accessToken))
    }
    world.clock.advance(by: .seconds(99))
    #expect(try await world.isAlive(tokens.accessToken))
    world.clock.advance(by: .seconds(1))
    #expect(try await world.isAlive(tokens.accessToken) == false)
  }

  @Test("A use moves the end of a sliding token, up to its absolute end; asking about it does not")
  func sliding() async throws {
    let world = try await TokenWorld {
      $0.accessLifetime = .sliding(idle: .seconds(7200), absolute: .seconds(20_000))
    }
    let tokens = try await world.issue()
    let unused = try await world.issue()
    world.clock.advance(by: .seconds(7199))
    #expect(try await world.isAlive(tokens.accessToken))
    #expect(try await world.tokens.introspect(unused.accessToken) != nil)
    world.clock.advance(by: .seconds(1))
    #expect(try await world.isAlive(unused.accessToken) == false)
    #expect(try await world.tokens.introspect(unused.accessToken) == nil)
    world.clock.advance(by: .seconds(7198))
    #expect(try await world.isAlive(tokens.accessToken))
    world.clock.advance(by: .seconds(5601))
    #expect(try await world.isAlive(tokens.accessToken))
    world.clock.advance(by: .seconds(1))
    #expect(try await world.isAlive(tokens.accessToken) == false)
  }

  @Test("A sliding token's uses outlive the server, to within a minute and never too short")
  func slidingAcrossServers() async throws {
    let folder = TemporaryFolder()
    let clock = TestClock()
    let world = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url), clock: clock) {
      $0.accessLifetime = .sliding(idle: .seconds(7200), absolute: nil)
    }
    let tokens = try await world.issue()
    clock.advance(by: .seconds(3600))
    #expect(try await world.isAlive(tokens.accessToken))
    clock.advance(by: .seconds(59))
    #expect(try await world.isAlive(tokens.accessToken))
    try await world.storage.close()
    let next = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url), clock: clock)
    clock.advance(by: .seconds(7199))
    #expect(try await next.isAlive(tokens.accessToken))
    clock.advance(by: .seconds(7200 + 61))
    #expect(try await next.isAlive(tokens.accessToken) == false)
    try await next.storage.close()
  }

  @Test("What is known of a live token: whose, which client's, what for, how long; of any other nothing")
  func introspection() async throws {
    let world = try await TokenWorld()
    let tokens = try await world.issue()
    let refresh = tokens.renewal
    let access = try #require(try await world.tokens.introspect(tokens.accessToken, client: world.client))
    #expect(access.kind == .access && access.scopes == TokenWorld.scopes && access.grant.user?.name == "ada")
    #expect(access.grant.clientID == "app" && access.expiresAt == tokens.expiresAt)
    let live = try #require(try await world.tokens.introspect(refresh))
    #expect(live.kind == .refresh)
    #expect(live.expiresAt == world.clock.now.addingTimeInterval(30 * 24 * 3600))
    _ = try await world.rotate(refresh)
    #expect(try await world.tokens.introspect(refresh) == nil)
    #expect(try await world.tokens.introspect("unknown") == nil)
    world.clock.advance(by: .seconds(3600))
    #expect(try await world.tokens.introspect(tokens.accessToken) == nil)
  }

  @Test("A grant has so many access tokens; one more ends the oldest")
  func most() async throws {
    let world = try await TokenWorld {
      $0.rotatesRefreshTokens = false
      $0.mostAccessTokensPerGrant = 3
    }
    let first = try await world.issue()
    var access = [first.accessToken]
    for _ in 0..<4 {
      access.append(try #require(try await world.refresh(first.renewal).tokens).accessToken)
    }
    for (index, token) in access.enumerated() { #expect(try await world.isAlive(token) == (index >= 2)) }
  }

  @Test("Of many access tokens one more ends the oldest quarter, and the others are remembered in between")
  func quarter() async throws {
    let world = try await TokenWorld {
      $0.rotatesRefreshTokens = false
      $0.mostAccessTokensPerGrant = 8
    }
    let first = try await world.issue()
    var access = [first.accessToken]
    var alive: [Int] = []
    for _ in 0..<16 {
      access.append(try #require(try await world.refresh(first.renewal).tokens).accessToken)
      var count = 0
      for token in access where try await world.isAlive(token) { count += 1 }
      alive.append(count)
    }
    #expect(alive == [2, 3, 4, 5, 6, 7, 8, 7, 8, 7, 8, 7, 8, 7, 8, 7])
    for (index, token) in access.enumerated() { #expect(try await world.isAlive(token) == (index >= 10)) }
  }

  @Test("A failing database is no verdict: nobody is let in, and nobody signed out")
  func failure() async throws {
    let folder = TemporaryFolder()
    let world = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url))
    let tokens = try await world.issue()
    try await world.storage.close()
    await #expect(throws: ServerError(.storageClosed, "")) { try await world.isAlive(tokens.accessToken) }
    await #expect(throws: ServerError(.storageClosed, "")) {
      try await world.refresh(tokens.renewal)
    }
    let next = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url), clock: world.clock)
    #expect(try await next.isAlive(tokens.accessToken))
    #expect(try await next.refresh(tokens.renewal).tokens != nil)
    try await next.storage.close()
  }

  @Test("Attributes beyond what a grant may carry are refused")
  func tooMuch() async throws {
    let world = try await TokenWorld()
    var request = world.request()
    request.attributes = ["x": .string(String(repeating: "x", count: 5000))]
    await #expect(throws: ServerError(.attributesTooLarge, "")) { try await world.tokens.issue(request) }
  }
}
