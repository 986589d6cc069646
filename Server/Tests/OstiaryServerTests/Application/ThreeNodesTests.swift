import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

/// What one server guarantees, three on one database guarantee together.
@Suite("Three servers on one database", .timeLimit(.minutes(20)))
struct ThreeNodesTests {
  private static let address = "new@example.com"
  private static let details = [
    "email": address, "display_name": "New", "password": FlowWorld.newPassword,
  ]

  /// The mails that the servers have sent to an address, whichever of them took which from the outbox.
  private static func mails(_ worlds: [FlowWorld], to address: String) async -> [MailMessage] {
    var all: [MailMessage] = []
    for world in worlds { all += await world.mails(to: address) }
    return all
  }

  @Test(
    "LO-04: wrong passwords at three servers at once: no more are verified than the limit",
    arguments: ["ada", "nobody"])
  func passwords(name: String) async throws {
    try await ThreeNodes.run { nodes in
      let clock = TestClock()
      let worlds = try nodes.storages.map { try IdentityWorld(storage: $0, clock: clock) { $0.hashQueue = 500 } }
      try await worlds[0].identity.addUser(name: "ada", password: IdentityWorld.password)
      for world in worlds { _ = world.takeHashes() }
      for round in 1...3 {
        let answers = try await nodes.parallel(90, at: worlds) { world, _ in await world.verify(name, "wrong").summary }
        let expected = round == 1 ? 5 : 1
        #expect(answers.count { $0 == "refused" } == expected)
        #expect(answers.count { $0.hasPrefix("wait") } == 90 - expected)
        #expect(worlds.map { $0.takeHashes().count }.reduce(0, +) == expected)
        clock.advance(by: .seconds(3600))
      }
    }
  }

  @Test("LO-08: a mailed code is guessed at five times at three servers together, at once and one after the other")
  func mailedCodes() async throws {
    try await ThreeNodes.run { nodes in
      let worlds = try nodes.storages.map { try FlowWorld(storage: $0) }
      try await worlds[0].addJane()
      let flow = try await worlds[0].askForCode()
      let code = try #require(await Self.mails(worlds, to: FlowWorld.address).last?.code)
      let wrong = code.hasPrefix("2") ? "33333333" : "22222222"
      let outcomes = try await nodes.parallel(30, at: worlds) { world, _ in
        try await world.submit(.recover, flow, .checkCode, ["code": wrong])
      }
      #expect(outcomes.allSatisfy { $0.status != .ok })
      let attempts = try await worlds[1].storage.read { db in
        try db.test.first(Int.self, "SELECT max(attempts) FROM flows") ?? -1
      }
      #expect(attempts == FlowService.mostAttempts)
      // The right one comes too late, at each.
      for world in worlds {
        #expect(try await world.submit(.recover, flow, .checkCode, ["code": code]).status != .ok)
      }
    }
  }

  @Test(
    "RC-01: of one right code at three servers at once exactly one submission succeeds, and one new password is set")
  func recovery() async throws {
    try await ThreeNodes.run { nodes in
      let worlds = try nodes.storages.map { try FlowWorld(storage: $0) }
      try await worlds[0].addJane()
      let flow = try await worlds[0].askForCode()
      let code = try #require(await Self.mails(worlds, to: FlowWorld.address).last?.code)
      let statuses = try await nodes.parallel(30, at: worlds) { world, _ in
        try await world.submit(.recover, flow, .checkCode, ["code": code]).status.code
      }
      #expect(statuses.count { $0 == 200 } == 1 && statuses.count { $0 == 409 } == 29)
      let passwords = try await nodes.parallel(12, at: worlds) { world, number in
        try await world.submit(.recover, flow, .setPassword, ["new_password": "a fine long password \(number)"])
          .status.code
      }
      #expect(passwords.count { $0 == 200 } == 1 && passwords.count { $0 == 409 } == 11)
    }
  }

  @Test("OA-04: of one code's redemptions at three servers at once exactly one succeeds")
  func codes() async throws {
    try await ThreeNodes.run { nodes in
      let clock = TestClock()
      var worlds: [TokenWorld] = []
      for storage in nodes.storages { worlds.append(try await TokenWorld(storage: storage, clock: clock)) }
      for _ in 0..<10 {
        let request = CodeRequest(grant: worlds[0].request(), redirectURI: nil, challenge: CodeTests.challenge)
        let code = try #require(try await worlds[0].tokens.issueCode(request).code)
        let answers = try await nodes.parallel(18, at: worlds) { world, _ in
          try await world.tokens.redeem(
            code: code, client: world.client, redirectURI: nil, verifier: CodeTests.verifier)
        }
        #expect(answers.compactMap(\.tokens).count == 1)
        #expect(answers.count { $0.refusal == .reused } == 17)
      }
    }
  }

  @Test("FL-03: parallel sign-ups with one address at three servers make one account")
  func signUps() async throws {
    try await ThreeNodes.run { nodes in
      let worlds = try nodes.storages.map { try FlowWorld(storage: $0) }
      let flows = try (0..<30).map { try worlds[$0 % 3].begin(.signup, FlowWorld.browser("b\($0)")) }
      _ = try await nodes.parallel(30, at: worlds) { world, number in
        try await world.submit(.signup, flows[number], .signup, Self.details, FlowWorld.browser("b\(number)"))
      }
      var codes: [String: String] = [:]
      for mail in await Self.mails(worlds, to: Self.address) {
        let flow = try #require(mail.links.first?.split(separator: "flow=").last).description
        codes[flow] = mail.code
      }
      // No more mails than one server would send, and each once.
      #expect(codes.count == MailLimits.most)
      let shown = flows.enumerated().compactMap { number, flow in codes[flow].map { (number, flow, $0) } }
      // Each at the three servers at once; the number of calls is a multiple of both.
      let outcomes = try await nodes.parallel(shown.count * 9, at: worlds) { world, call in
        let (number, flow, code) = shown[call % shown.count]
        return try await world.submit(.signup, flow, .checkCode, ["code": code], FlowWorld.browser("b\(number)"))
      }
      #expect(outcomes.count { $0.signedIn != nil } == 1)
      for world in worlds { #expect(try await world.identity.users().count == 1) }
    }
  }

  @Test("A mail goes out once, however many servers look into the outbox")
  func mail() async throws {
    try await ThreeNodes.run { nodes in
      let worlds = try nodes.storages.map { try FlowWorld(storage: $0) }
      let outbox = Outbox(worlds[0].storage.key)
      let now = worlds[0].clock.now
      for number in 0..<30 {
        let message = MailMessage(to: .nobody, subject: "\(number)", text: "text")
        try await worlds[0].storage.write { db in
          try outbox.add(message, isBlank: false, now: now, expiresAt: now.addingTimeInterval(600), in: db)
        }
      }
      _ = try await nodes.parallel(30, at: worlds) { world, _ in
        world.dispatcher.ring()
        await world.dispatcher.settle()
      }
      let subjects = worlds.flatMap { $0.mailbox.messages.map(\.subject) }
      #expect(subjects.count == 30 && Set(subjects).count == 30)
    }
  }
}
