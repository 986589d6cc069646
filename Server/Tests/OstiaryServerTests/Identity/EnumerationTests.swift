import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Nobody learns who exists")
struct EnumerationTests {
  /// Users of every kind, their hashes made with `old` parameters where the name says so.
  static func server(current: HashParameters, old: HashParameters) async throws -> IdentityWorld {
    let before = try IdentityWorld(parameters: old)
    try await before.identity.addUser(name: "old", password: IdentityWorld.password)
    let server = try IdentityWorld(storage: before.storage, clock: before.clock, parameters: current)
    try await server.identity.addUser(name: "current", password: IdentityWorld.password)
    try await server.identity.addUser(name: "disabled", password: IdentityWorld.password)
    try await server.identity.disableUser(named: "disabled")
    try await server.identity.addUser(name: "without")
    try await server.identity.addUser(name: "damaged", password: IdentityWorld.password)
    try await server.storage.write { db in
      try db.test.execute(
        "UPDATE users SET password = '$argon2id$v=19$m=4194304,t=9,p=1$x$y', password_work = 8 WHERE name = 'damaged'"
      )
    }
    _ = server.takeHashes()
    return server
  }

  private static let names = ["unknown", "current", "old", "disabled", "without", "damaged", "", "x\u{0}y"]

  @Test("EN-01: unknown, wrong, disabled, damaged and without a password are one answer, and waiting is one too")
  func sameAnswers() async throws {
    let server = try await Self.server(current: IdentityWorld.cheap, old: .insecureCheapForDevelopmentOnly)
    for name in Self.names {
      var answers: [String] = []
      for _ in 0..<7 { answers.append(await server.verify(name, "a wrong password").summary) }
      #expect(answers == Array(repeating: "refused", count: 5) + ["wait 30", "wait 30"], "\(name)")
    }
    let disabled = try await Self.server(current: IdentityWorld.cheap, old: IdentityWorld.cheap)
    #expect(await disabled.verify("disabled", IdentityWorld.password).summary == "refused")
  }

  @Test(
    "EN-02: every refusal costs the same work",
    arguments: [(64, 1, 16, 2), (64, 1, 64, 1), (64, 1, 64, 3), (64, 2, 100, 1), (64, 1, 1000, 3)])
  func sameWork(memory: Int, iterations: Int, oldMemory: Int, oldIterations: Int) async throws {
    let current = HashParameters.insecureForDevelopmentOnly(memoryKiB: memory, iterations: iterations)
    let old = HashParameters.insecureForDevelopmentOnly(memoryKiB: oldMemory, iterations: oldIterations)
    let server = try await Self.server(current: current, old: old)
    let expected = Double(max(current.work, old.work))
    for name in Self.names {
      _ = await server.verify(name, "a wrong password")
      let hashes = server.takeHashes()
      let work = Double(hashes.map(\.work).reduce(0, +))
      #expect(abs(work - expected) <= expected * 0.02 + 2, "\(name): \(hashes)")
      #expect(hashes.allSatisfy { $0.memoryKiB <= max(memory, oldMemory) })
    }
  }

  @Test("EN-05: waits are the same for names nobody has, and are shared by their spellings")
  func sameWaits() async throws {
    let server = try IdentityWorld()
    try await server.identity.addUser(name: "Ada", password: IdentityWorld.password)
    for names in [["Ada", "ada", "ADA", "ａｄａ"], ["Bob", "bob", "BOB", "ｂｏｂ"]] {
      for attempt in 0..<5 {
        #expect(await server.verify(names[attempt % 4], "a wrong password").summary == "refused")
      }
      for name in names { #expect(await server.verify(name, "a wrong password").summary == "wait 30") }
      server.clock.advance(by: .seconds(30))
      #expect(await server.verify(names[0], "a wrong password").summary == "refused")
      #expect(await server.verify(names[1], "a wrong password").summary == "wait 60")
    }
  }
}
