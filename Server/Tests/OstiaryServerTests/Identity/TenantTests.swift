import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Tenants")
struct TenantTests {
  private let password = IdentityWorld.password

  @Test("The same name is somebody else in each tenant, and without one")
  func apart() async throws {
    let world = try IdentityWorld()
    let identity = world.identity
    let large = try await identity.addUser(name: "ada", password: password)
    let one = try await identity.addUser(name: "ada", tenant: "1", password: "the first tenant's password")
    #expect(large.tenant == nil)
    #expect(one.tenant == "1")
    #expect(await world.verify("ada", password).user?.id == large.id)
    func verify(_ tenant: String, _ password: Secret) async -> String? {
      await identity.verify(username: "ADA", tenant: tenant, password: password, address: nil, pathway: "test").user?.id
    }
    #expect(await verify("1", "the first tenant's password") == one.id)
    #expect(await verify("1", password) == nil)
    #expect(await verify("2", password) == nil)
    try await identity.disableUser(named: "ada", tenant: "1")
    #expect(try await identity.user(named: "ada")?.isDisabled == false)
    #expect(try await identity.user(named: "ada", tenant: "1")?.isDisabled == true)
    #expect(world.log.text.contains("1/ADA"))
  }

  @Test("Within a tenant a name or an address is one user's, by whichever of the two")
  func unique() async throws {
    let identity = try IdentityWorld().identity
    try await identity.addUser(name: "ada", tenant: "1", email: "ada@example.com")
    for (name, email) in [
      ("ADA", nil), ("eve", "Ada@Example.com"), ("ada@example.com", nil), ("eve", "ada"),
    ] as [(String, String?)] {
      await #expect(throws: ServerError(.userExists, "")) {
        try await identity.addUser(name: name, tenant: "1", email: email)
      }
    }
    try await identity.addUser(name: "ada", tenant: "2", email: "ada@example.com")
    // As it has always been without a tenant.
    for name in ["one", "two"] { try await identity.addUser(name: name, email: "we@example.com") }
  }

  @Test("A tenant's name is of few characters", arguments: ["", "a b", "a/b", "é", String(repeating: "a", count: 65)])
  func names(name: String) async throws {
    let identity = try IdentityWorld().identity
    await #expect(throws: ServerError(.invalidTenant, "")) { try await identity.addUser(name: "ada", tenant: name) }
  }

  @Test("No name without a tenant has the key of one with")
  func keys() {
    #expect(NameKey("ada", tenant: "1") != NameKey("ada"))
    #expect(NameKey("ada", tenant: "1") != NameKey("ada", tenant: "2"))
    #expect(NameKey("ada", tenant: "1") == NameKey("ADA", tenant: "1"))
    #expect(NameKey("1ada") != NameKey("ada", tenant: "1"))
  }

  @Test(
    "A database from before there were tenants is brought up to date: addresses become names to sign in with",
    TestDatabase.forSQLite)
  func migration() async throws {
    let folder = TemporaryFolder()
    let world = try IdentityWorld()
    try await world.identity.addUser(name: "ada", password: password)
    let hash = try await world.storage.read { db in try db.test.first(String.self, "SELECT password FROM users") }
    // The first version's tables alone.
    let first = try ServerStorage(folder: folder.url, migrations: Array(Migrations.all(of: houseDoors).prefix(1)))
    try await first.write { db in
      try db.test.execute(
        """
        INSERT INTO users (id, name_key, name, display_name, email, attributes, password, password_work, created_at, updated_at)
        VALUES ('1', ?, 'ada', 'Ada', 'Ada@example.com', '{}', ?, ?, 0, 0)
        """,
        NameKey("ada").data, hash, IdentityWorld.cheap.work)
    }
    try await first.close()
    let again = try IdentityWorld(storage: ServerStorage.forTest(in: folder.url))
    let user = try await again.identity.user(loginName: "ada@example.com", tenants: ["1", nil])
    #expect(user?.name == "ada")
    #expect(await again.verify("ada", password).user?.id == user?.id)
  }
}
