import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

// Words and tokens that come in another order than they were asked for, and once more.
extension ResourceTokenTests {
  @Test("RES-7: a server that gives the refused token again is not kept busy either")
  func sameAgain() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    for address in [Self.api, Self.orders] { _ = try await get(manager, address) }
    let token = try #require(shown(world, "orders.example").first)
    world.transport.on(.get, "/v1/never") { _ in OAuthStub.refused }
    let path = world.provider.address(of: .token).path()
    let asked = world.transport.count(.post, path)
    world.transport.inject(
      .respond(.json(["access_token": .string(token), "token_type": "Bearer", "expires_in": 300])), into: .post(path))
    for _ in 0..<20 {
      world.clock.advance(by: .milliseconds(100))
      #expect(await failure { try await get(manager, Self.orders + "/never") }?.code == .challengedAgain)
    }
    #expect(world.transport.count(.post, path) - asked <= 3)
    #expect(try await get(manager, Self.api) == .ok)
  }

  @Test("RES-7: what an API has refused of one sign-in holds up no other")
  func anotherSignIn() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    _ = try await get(manager, Self.api)
    world.transport.on(.get, "/v1/never") { _ in OAuthStub.refused }
    for _ in 0..<4 { _ = await failure { try await get(manager, Self.orders + "/never") } }
    #expect(await failure { try await get(manager, Self.orders + "/list") }?.code == .challengedAgain)
    _ = await manager.signOut()
    #expect(try await get(manager, Self.orders + "/list") == .ok)
  }

  @Test("RES-10: a refusal that the app tells of late is about the API that it asked, though another's token has come")
  func toldLate() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    _ = try await manager.session()
    var request = try TransportRequest.get(Self.url(Self.orders + "/list")).head
    let session = try await manager.session(for: request)
    #expect(manager.attach(to: &request) == .attached(session.version))
    #expect(try await get(manager, Self.files) == .ok)
    let asked = world.provider.counts[.token]
    let verdict = await manager.judge(OAuthStub.refused, to: TransportRequest(request), carrying: session.version)
    guard case .rejected = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(try await get(manager, Self.api) == .ok)
    #expect(world.provider.counts[.token] == asked, "the session's own token is as good as before")
    // A second word about the same token changes nothing.
    _ = await manager.judge(OAuthStub.refused, to: TransportRequest(request), carrying: session.version)
    let old = request.headerFields[.authorization]
    #expect(manager.attach(to: &request) == .noSession)
    _ = try await manager.session(for: request)
    guard case .attached = manager.attach(to: &request) else {
      Issue.record("no token")
      return
    }
    #expect(request.headerFields[.authorization] != old)
    #expect(world.provider.counts[.token] == asked + 1)
  }

  @Test("MIN-6: a session that is to last is asked for once more where another API's token has come in between")
  func lasting() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    _ = try await get(manager, Self.api)
    let end = try #require(manager.current?.expiresAt)
    let lifetime = end.timeIntervalSince(world.clock.now)
    world.clock.advance(by: .seconds(lifetime / 2))
    let gate = Gate()
    world.transport.inject(
      .holdResponse(gate), into: .post(world.provider.address(of: .token).path()), at: .nth(1))
    let part = Task { try await get(manager, Self.orders) }
    try await gate.waitForArrivals()
    let lasting = startAtOnce { try await manager.session(minimumValidity: .seconds(lifetime * 0.75)) }
    gate.open()
    #expect(try await part.value == .ok)
    let session = try await lasting.value
    let ends = try #require(session.expiresAt)
    #expect(ends.timeIntervalSince(world.clock.now) > lifetime * 0.75)
    #expect(world.provider.counts[.token] == 3)
  }
}
