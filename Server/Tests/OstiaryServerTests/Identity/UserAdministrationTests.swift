import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Users")
struct UserAdministrationTests {
  @Test("A user keeps what was said about them")
  func add() async throws {
    let server = try IdentityWorld()
    let added = try await server.identity.addUser(
      name: "ada", displayName: "Ada Lovelace", email: "ada@example.org", password: IdentityWorld.password,
      attributes: ["accessGroup": "Sales:Agents", "level": 3, "nested": .object(["x": .array([1, .null])])])
    let found = try #require(try await server.identity.user(named: "ADA"))
    #expect(found == added)
    #expect(found.displayName == "Ada Lovelace" && found.email == "ada@example.org" && found.hasPassword)
    #expect(found.attributes["accessGroup"]?.string == "Sales:Agents")
    #expect(found.createdAt == server.clock.now && !found.isDisabled)
    #expect(try await server.identity.user(id: added.id) == added)
    #expect(try await server.identity.user(named: "nobody") == nil)
    #expect(try await server.identity.user(id: "none") == nil)
  }

  @Test("A name belongs to one user, however it is spelled", arguments: ["ada", "ADA", "Ａｄａ", "adA"])
  func unique(name: String) async throws {
    let server = try IdentityWorld()
    try await server.identity.addUser(name: "Ada")
    await #expect(throws: ServerError(.userExists, "")) { try await server.identity.addUser(name: name) }
    #expect(try await server.identity.users().map(\.name) == ["Ada"])
  }

  @Test("Of many who add one name at once, one does")
  func race() async throws {
    let server = try IdentityWorld()
    let added = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { (try? await server.identity.addUser(name: "ada")) != nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(added == 1)
  }

  @Test(
    "Unusable names are refused",
    arguments: [
      "", " ", "a\nb", "a\u{0}b", "a\u{202E}b", "\u{1B}[31m", String(repeating: "x", count: 257),
      String(repeating: "\u{FDFA}", count: 100),
    ])
  func invalid(name: String) async throws {
    let server = try IdentityWorld()
    await #expect(throws: ServerError(.invalidUserName, "")) { try await server.identity.addUser(name: name) }
  }

  @Test(
    "Hostile names can be asked for",
    arguments: ["'; DROP TABLE users; --", "%", "_", "\u{0}", String(repeating: "é", count: 100_000)])
  func hostile(name: String) async throws {
    let server = try IdentityWorld()
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    #expect(try await server.identity.user(named: name) == nil)
    #expect(await server.verify(name, IdentityWorld.password).summary == "refused")
    #expect(try await server.identity.users().count == 1)
  }

  @Test("Disabled is out, enabled is in again")
  func disable() async throws {
    let server = try IdentityWorld()
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    #expect(try await server.identity.disableUser(named: "Ada").isDisabled)
    #expect(await server.verify("ada", IdentityWorld.password).summary == "refused")
    #expect(try await server.identity.enableUser(named: "ada").isDisabled == false)
    #expect(await server.verify("ada", IdentityWorld.password).summary == "accepted")
  }

  @Test("Nobody by that name is an error")
  func unknown() async throws {
    let server = try IdentityWorld()
    await #expect(throws: ServerError(.userNotFound, "")) { try await server.identity.disableUser(named: "x") }
    await #expect(throws: ServerError(.userNotFound, "")) { try await server.identity.enableUser(named: "x") }
    await #expect(throws: ServerError(.userNotFound, "")) {
      try await server.identity.setPassword(IdentityWorld.password, forUserNamed: "x")
    }
  }
}
