import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Password verification")
struct PasswordVerificationTests {
  @Test("PW-01: too short is refused at sign-up and at change with the same code")
  func minimum() async throws {
    let server = try IdentityWorld()
    await #expect(throws: ServerError(.passwordTooShort, "")) {
      try await server.identity.addUser(name: "ada", password: "tgkvbnaxqmlcot")
    }
    #expect(try await server.identity.users().isEmpty)
    try await server.identity.addUser(name: "ada", password: "tgkvbnaxqmlcotw")
    await #expect(throws: ServerError(.passwordTooShort, "")) {
      try await server.identity.setPassword("tgkvbnaxqmlcot", forUserNamed: "ada")
    }
    #expect(await server.verify("ada", "tgkvbnaxqmlcotw").summary == "accepted")
  }

  @Test("PW-03: 64 characters and 1024 work; a longer one is refused, never cut")
  func maximum() async throws {
    let server = try IdentityWorld { $0.passwordPolicy = .insecureAnythingGoesForDevelopmentOnly }
    for count in [64, 1024] {
      let password = String(repeating: "x", count: count)
      try await server.identity.addUser(name: "u\(count)", password: Secret(password))
      #expect(await server.verify("u\(count)", Secret(password)).summary == "accepted")
      #expect(await server.verify("u\(count)", Secret(password + "y")).summary == "refused")
      #expect(await server.verify("u\(count)", Secret(String(password.dropLast()))).summary == "refused")
    }
  }

  @Test(
    "PW-04: nothing but the password is the password",
    arguments: [
      "correct horse battery stapl", "Correct horse battery staple", "correct horse battery staple ",
      " correct horse battery staple", "correct horse battery staplE", "", "correct horse battery staple\n",
      "correct horse battery staple\u{0}", "correct  horse battery staple",
    ])
  func exact(other: String) async throws {
    let server = try IdentityWorld()
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    #expect(await server.verify("ada", Secret(other)).summary == "refused")
    #expect(await server.verify("ada", IdentityWorld.password).summary == "accepted")
  }

  @Test("PW-05: all spellings of one password are equal, at sign-up, change and login")
  func normalisation() async throws {
    let server = try IdentityWorld()
    let composed: Secret = "caf\u{E9} cr\u{E8}me br\u{FB}l\u{E9}e"
    let decomposed: Secret = "cafe\u{301} cre\u{300}me bru\u{302}le\u{301}e"
    let wide: Secret = "ｃａｆ\u{E9} cr\u{E8}me br\u{FB}l\u{E9}e"
    try await server.identity.addUser(name: "ada", password: decomposed)
    for spelling in [composed, decomposed, wide] {
      #expect(await server.verify("ada", spelling).summary == "accepted")
    }
    try await server.identity.setPassword(wide, forUserNamed: "ada")
    for spelling in [composed, decomposed, wide] {
      #expect(await server.verify("ada", spelling).summary == "accepted")
    }
    #expect(await server.verify("ada", "cafe creme brulee").summary == "refused")
  }

  @Test(
    "PW-06: any character works, and what follows a NUL counts",
    arguments: [
      ("% + & = : é 日本 space newline\n", "% + & = : é 日本 space newline"),
      ("nul\u{0}and what follows it", "nul\u{0}and what follows is"), ("\u{0}\u{0}\u{0}", "\u{0}\u{0}"),
      (" !\"#$%&'()*+,-./0123456789:;<=>?@[\\]^_`{|}~", " !\"#$%&'()*+,-./0123456789:;<=>?@[\\]^_`{|}"),
    ])
  func characters(password: String, other: String) async throws {
    let server = try IdentityWorld { $0.passwordPolicy = .insecureAnythingGoesForDevelopmentOnly }
    try await server.identity.addUser(name: "ada", password: Secret(password))
    #expect(await server.verify("ada", Secret(password)).summary == "accepted")
    #expect(await server.verify("ada", Secret(other)).summary == "refused")
  }

  @Test("PW-08: a common password is refused at sign-up and at change")
  func common() async throws {
    let server = try IdentityWorld()
    await #expect(throws: ServerError(.passwordTooCommon, "")) {
      try await server.identity.addUser(name: "ada", password: "passwordpassword")
    }
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    await #expect(throws: ServerError(.passwordTooCommon, "")) {
      try await server.identity.setPassword("passwordpassword", forUserNamed: "ada")
    }
  }

  @Test("PW-16: a login renews a hash of older parameters, once, and a wrong password does not")
  func rehash() async throws {
    let old = HashParameters.insecureForDevelopmentOnly(memoryKiB: 16, iterations: 2)
    let before = try IdentityWorld(parameters: old)
    try await before.identity.addUser(name: "ada", password: IdentityWorld.password)

    let server = try IdentityWorld(storage: before.storage, clock: before.clock)
    #expect(await server.verify("ada", "some wrong password").summary == "refused")
    #expect(try await Self.stored("ada", server)?.parameters == old)
    #expect(await server.verify("ada", IdentityWorld.password).summary == "accepted")
    let renewed = try await Self.stored("ada", server)
    #expect(renewed?.parameters == IdentityWorld.cheap)
    #expect(await server.verify("ada", IdentityWorld.password).summary == "accepted")
    #expect(try await Self.stored("ada", server) == renewed)
  }

  @Test("PW-15: a development server never puts a cheap hash in a safe one's place")
  func noDowngrade() async throws {
    let before = try IdentityWorld(parameters: .standard)
    try await before.identity.addUser(name: "ada", password: IdentityWorld.password)
    let server = try IdentityWorld(storage: before.storage, clock: before.clock)
    #expect(await server.verify("ada", IdentityWorld.password).summary == "accepted")
    #expect(try await Self.stored("ada", server)?.parameters == .standard)
  }

  @Test("PW-16: logins at the same time, or a new password meanwhile, lose nothing")
  func concurrentRehash() async throws {
    let before = try IdentityWorld(parameters: .insecureForDevelopmentOnly(memoryKiB: 16, iterations: 2))
    for round in 0..<10 {
      let name = "user \(round)"
      try await before.identity.addUser(name: name, password: IdentityWorld.password)
      let server = try IdentityWorld(storage: before.storage, clock: before.clock)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask { #expect(await server.verify(name, IdentityWorld.password).summary == "accepted") }
        }
      }
      #expect(try await Self.stored(name, server)?.parameters == IdentityWorld.cheap)

      let old = try #require(try await Self.stored(name, server))
      try await server.identity.setPassword("an entirely new one", forUserNamed: name)
      try await server.storage.write { [clock = server.clock] db in
        let row = try #require(try UserRow.find(NameKey(name), in: db))
        // A login that verified the old password and is late with its renewal.
        try UserRow.replace(old.phc, with: old, of: row.user.id, now: clock.now, in: db)
      }
      #expect(await server.verify(name, "an entirely new one").summary == "accepted")
      #expect(await server.verify(name, IdentityWorld.password).summary == "refused")
    }
  }

  @Test(
    "PW-22: password, hash and session id are nowhere in the log, and neither password nor id in the database",
    TestDatabase.forSQLite)
  func canary() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage.forTest(in: folder.url)
    let server = try IdentityWorld(storage: storage)
    let canary = "canary-wombat-lantern-93"
    try await server.identity.addUser(name: "ada", password: Secret(canary))
    let user = try #require(await server.verify("ada", Secret(canary)).user)
    _ = await server.verify("ada", Secret(canary + "-wrong"))
    _ = await server.verify("nobody", Secret(canary))
    let issued = try await server.sessions.begin(for: user)
    #expect(try await server.sessions.find(issued.id) != nil)
    let phc = try #require(try await Self.stored("ada", server)).phc

    let files = try folder.contents()
    #expect(files.contains(text: "$argon2id$"))
    #expect(!files.contains(text: "canary-wombat"))
    #expect(!files.contains(text: issued.id.reveal()))
    var dumped = ""
    dump(user, to: &dumped)
    dump(issued, to: &dumped)
    for output in [server.log.text, "\(user)", "\(issued)", dumped] {
      #expect(!output.contains("canary-wombat"))
      #expect(!output.contains(phc.suffix(20)))
      #expect(!output.contains("argon2"))
      #expect(!output.contains(issued.id.reveal()))
    }
  }

  private static func stored(_ name: String, _ server: IdentityWorld) async throws -> PasswordHash? {
    try await server.storage.read { db in try UserRow.find(NameKey(name), in: db)?.password }
  }
}
