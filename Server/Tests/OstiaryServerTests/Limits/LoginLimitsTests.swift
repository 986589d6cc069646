import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Limits of failed logins")
struct LoginLimitsTests {
  private static func server(_ change: (inout IdentityConfiguration) -> Void = { _ in }) async throws -> IdentityWorld {
    let server = try IdentityWorld(change)
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    try await server.identity.addUser(name: "bob", password: IdentityWorld.password)
    _ = server.takeHashes()
    return server
  }

  @Test("LO-01: limits are on by default")
  func onByDefault() {
    let limits = IdentityConfiguration.standard.loginLimits
    #expect(limits == .standard)
    #expect(limits.freeFailures == 5)
    #expect(limits.firstWait == .seconds(30) && limits.longestWait == .seconds(3600))
    #expect(limits.addressBurst == 20 && limits.addressInterval == .seconds(30))
  }

  @Test("LO-02: the wait grows from 30 s to an hour, and a right password during it is not looked at")
  func growingWait() async throws {
    let server = try await Self.server()
    for _ in 0..<5 { #expect(await server.verify("ada", "wrong").summary == "refused") }
    for seconds in [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600] {
      _ = server.takeHashes()
      #expect(await server.verify("ada", IdentityWorld.password).summary == "wait \(seconds)")
      server.clock.advance(by: .seconds(seconds - 1))
      #expect(await server.verify("ada", IdentityWorld.password).summary == "wait 1")
      #expect(server.takeHashes().isEmpty)
      server.clock.advance(by: .seconds(1))
      #expect(await server.verify("ada", "wrong").summary == "refused")
    }
    server.clock.advance(by: .seconds(3600))
    #expect(await server.verify("ada", IdentityWorld.password).summary == "accepted")
    for _ in 0..<5 { #expect(await server.verify("ada", "wrong").summary == "refused") }
    #expect(await server.verify("ada", "wrong").summary == "wait 30")
  }

  @Test("LO-02: a clock that is set back never makes a wait longer")
  func clockSetBack() async throws {
    let server = try await Self.server()
    for _ in 0..<5 { _ = await server.verify("ada", "wrong") }
    server.clock.advance(by: .seconds(-1_000_000))
    #expect(await server.verify("ada", "wrong").summary == "wait 30")
    server.clock.advance(by: .seconds(20))
    #expect(await server.verify("ada", IdentityWorld.password).summary == "wait 10")
    server.clock.advance(by: .seconds(10))
    #expect(await server.verify("ada", IdentityWorld.password).summary == "accepted")
  }

  @Test(
    "LO-02: after a clock was set back, for a day or for decades, a right password is taken at once",
    arguments: [-1, -20_000])
  func rightAfterSetBack(days: Int) async throws {
    let server = try await Self.server()
    #expect(await server.verify("ada", IdentityWorld.password, from: "192.0.2.1").summary == "accepted")
    server.clock.advance(by: .seconds(days * 86_400))
    #expect(await server.verify("ada", IdentityWorld.password, from: "192.0.2.1").summary == "accepted")
    #expect(await server.verify("bob", IdentityWorld.password, from: "192.0.2.1").summary == "accepted")
  }

  @Test(
    "LO-03, Bug-C06: the budget slows and never locks: after any number of failures the wait ends by itself",
    arguments: ["ada", "nobody"])
  func neverLocked(name: String) async throws {
    let server = try await Self.server()
    var verified = 0
    for _ in 0..<150 {
      if await server.verify(name, "wrong").summary == "refused" { verified += 1 }
      server.clock.advance(by: .seconds(3600))
    }
    #expect(verified == 150)
    #expect(await server.verify(name, "wrong").summary == "refused")
    #expect(await server.verify(name, IdentityWorld.password).summary == "wait 3600")
    try await server.identity.unlock(userNamed: name)
    #expect(await server.verify(name, "wrong").summary == "refused")
    if name == "ada" { #expect(await server.verify(name, IdentityWorld.password).summary == "accepted") }
  }

  @Test("LO-03: a new password starts the count anew")
  func newPassword() async throws {
    let server = try await Self.server()
    for _ in 0..<6 { _ = await server.verify("ada", "wrong") }
    try await server.identity.setPassword("an entirely new one", forUserNamed: "ada")
    #expect(await server.verify("ada", "an entirely new one").summary == "accepted")
  }

  @Test(
    "LO-04: however many wrong attempts run at once, no more are verified than the limit", arguments: ["ada", "nobody"])
  func parallelWrong(name: String) async throws {
    let server = try await Self.server { $0.hashQueue = 500 }
    for round in 1...8 {
      let answers = await Self.parallel(200) { _ in await server.verify(name, "wrong").summary }
      let expected = round == 1 ? 5 : 1
      #expect(answers.filter { $0 == "refused" }.count == expected)
      #expect(answers.filter { $0.hasPrefix("wait") }.count == 200 - expected)
      #expect(server.takeHashes().count == expected)
      server.clock.advance(by: .seconds(3600))
    }
  }

  @Test("LO-04: of two servers on one database neither gives a guess away")
  func twoServers() async throws {
    let folder = TemporaryFolder()
    let one = try IdentityWorld(storage: ServerStorage.forTest(in: folder.url)) { $0.hashQueue = 500 }
    let two = try IdentityWorld(storage: ServerStorage.forTest(in: folder.url), clock: one.clock) { $0.hashQueue = 500 }
    try await one.identity.addUser(name: "ada", password: IdentityWorld.password)
    _ = one.takeHashes()
    let answers = await Self.parallel(60) { await ($0 % 2 == 0 ? one : two).verify("ada", "wrong").summary }
    #expect(answers.filter { $0 == "refused" }.count == 5)
    #expect(one.takeHashes().count + two.takeHashes().count == 5)
  }

  @Test("LO-04: right passwords, however many at once, are all accepted")
  func parallelRight() async throws {
    let server = try await Self.server { $0.hashQueue = 500 }
    for _ in 0..<3 { _ = await server.verify("ada", "wrong") }
    let answers = await Self.parallel(200) { _ in await server.verify("ada", IdentityWorld.password).summary }
    #expect(answers.allSatisfy { $0 == "accepted" })
    #expect(server.identity.guesses.countUnderWay == 0)
  }

  @Test("LO-04: going away is no way to try for free")
  func cancelled() async throws {
    let server = try await Self.server()
    for _ in 0..<5 {
      let task = Task { await server.verify("ada", "wrong") }
      task.cancel()
      #expect(await task.value.summary == "refused")
    }
    #expect(await server.verify("ada", IdentityWorld.password).summary == "wait 30")
    let right = Task { await server.verify("bob", IdentityWorld.password) }
    right.cancel()
    #expect(await right.value.summary == "accepted")
  }

  @Test("LO-04: counts survive a restart")
  func restart() async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: ServerStorage.forTest(in: folder.url))
    for _ in 0..<5 { _ = await server.verify("nobody", "wrong") }
    try await server.storage.close()
    let again = try IdentityWorld(storage: ServerStorage.forTest(in: folder.url), clock: server.clock)
    #expect(await again.verify("nobody", "wrong").summary == "wait 30")
  }

  @Test("LO-05: a success starts its own account's count anew and no other's")
  func success() async throws {
    let server = try await Self.server()
    for _ in 0..<4 {
      _ = await server.verify("ada", "wrong")
      _ = await server.verify("bob", "wrong")
    }
    #expect(await server.verify("ada", IdentityWorld.password).summary == "accepted")
    for _ in 0..<5 { #expect(await server.verify("ada", "wrong").summary == "refused") }
    #expect(await server.verify("bob", "wrong").summary == "refused")
    #expect(await server.verify("bob", "wrong").summary == "wait 30")
  }

  @Test("LO-06: every pathway counts for the one account, and for the name in every tenant")
  func pathways() async throws {
    let server = try await Self.server()
    let pathways: [Pathway] = ["form", "basic", "json", "query", "reauthentication"]
    for (index, pathway) in pathways.enumerated() {
      let decision = await server.identity.verify(
        username: "ada", tenant: index % 2 == 0 ? nil : "1", password: "wrong", address: ClientAddress("192.0.2.1"),
        pathway: pathway)
      #expect(decision.summary == "refused")
    }
    #expect(await server.verify("ada", IdentityWorld.password, from: "192.0.2.1").summary == "wait 30")
  }

  @Test("LO-11: one address trying many accounts has to wait, and its neighbour in the /64 with it")
  func stuffing() async throws {
    let server = try await Self.server()
    for index in 0..<20 {
      #expect(await server.verify("user \(index)", "wrong", from: "2001:db8::\(index + 1)").summary == "refused")
    }
    #expect(await server.verify("ada", IdentityWorld.password, from: "2001:db8::ffff").summary == "wait 30")
    #expect(await server.verify("ada", IdentityWorld.password, from: "2001:db8:0:1::1").summary == "accepted")
    server.clock.advance(by: .seconds(30))
    #expect(await server.verify("ada", IdentityWorld.password, from: "2001:db8::ffff").summary == "accepted")
    #expect(await server.verify("user 99", "wrong", from: "2001:db8::ffff").summary == "refused")
    #expect(await server.verify("ada", IdentityWorld.password, from: "2001:db8::ffff").summary == "wait 30")
  }

  @Test("LO-11: however many accounts an address tries at once, no more passwords are verified than its limit")
  func parallelStuffing() async throws {
    let server = try await Self.server { $0.hashQueue = 500 }
    for round in 1...4 {
      let answers = await Self.parallel(200) {
        await server.verify("user \(round) \($0)", "wrong", from: "192.0.2.1").summary
      }
      let expected = round == 1 ? 20 : 1
      #expect(answers.filter { $0 == "refused" }.count == expected)
      #expect(answers.filter { $0 == "wait 30" }.count == 200 - expected)
      #expect(server.takeHashes().count == expected)
      server.clock.advance(by: .seconds(30))
    }
    #expect(server.identity.guesses.countUnderWay == 0)
  }

  @Test("LO-11: right passwords from one address, however many at once, are all accepted")
  func parallelRightFromOneAddress() async throws {
    let server = try await Self.server { $0.hashQueue = 500 }
    for index in 0..<19 { _ = await server.verify("user \(index)", "wrong", from: "192.0.2.1") }
    let answers = await Self.parallel(200) {
      await server.verify($0 % 2 == 0 ? "ada" : "bob", IdentityWorld.password, from: "192.0.2.1").summary
    }
    #expect(answers.allSatisfy { $0 == "accepted" })
    #expect(await server.verify("user 20", "wrong", from: "192.0.2.1").summary == "refused")
    #expect(await server.verify("ada", IdentityWorld.password, from: "192.0.2.1").summary == "wait 30")
  }

  @Test(
    "LO-10, Bug-C17, EN-05: names can't fill the database, and a user's count is forgotten like that of a name without a user"
  )
  func boundedNames() async throws {
    let server = try await Self.server { $0.loginLimits.mostKeys = 50 }
    for name in ["ada", "nobody"] {
      for _ in 0..<5 { _ = await server.verify(name, "wrong") }
      #expect(await server.verify(name, "wrong").summary == "wait 30")
    }
    server.clock.advance(by: .seconds(1))
    for index in 0..<300 {
      _ = await server.verify("name \(index)", "wrong")
      let rows = try await server.storage.read { db in try db.test.first(Int.self, "SELECT count(*) FROM guesses")
      }
      #expect((rows ?? .max) <= 50)
    }
    let known = await server.verify("ada", "wrong").summary
    #expect(await server.verify("nobody", "wrong").summary == known)
    #expect(known == "refused")
  }

  @Test("LO-12: a login the pool has no room for is overloaded, not counted, and told when to come back")
  func overloaded() async throws {
    let server = try await Self.server {
      $0.hashWorkers = 1
      $0.hashQueue = 0
      $0.hashParameters = .insecureForDevelopmentOnly(memoryKiB: 4096, iterations: 4)
    }
    let answers = await Self.parallel(300) { index in
      switch await server.verify("user \(index)", "wrong") {
      case .overloaded(let wait): wait >= .seconds(1) ? "overloaded" : "overloaded too short"
      case let other: other.summary
      }
    }
    #expect(Set(answers) == ["refused", "overloaded"])
    let refused = answers.filter { $0 == "refused" }.count
    let rows = try await server.storage.read { db in
      try db.test.first(Int.self, "SELECT count(*) FROM guesses WHERE failures > 0")
    }
    #expect(rows == refused && server.takeHashes().count == refused)
  }

  private static func parallel(_ count: Int, _ body: @escaping @Sendable (Int) async -> String) async -> [String] {
    await withTaskGroup(of: String.self) { group in
      for index in 0..<count { group.addTask { await body(index) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }
}
