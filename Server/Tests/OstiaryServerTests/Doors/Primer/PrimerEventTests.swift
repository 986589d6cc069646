import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

@Suite("Primer door: events and identities", .timeLimit(.minutes(20)))
struct PrimerEventTests {
  @Test("Primer-P24: events that come again count once, also when they come at the same time")
  func duplicates() async throws {
    try await PrimerTester.run { (tester: PrimerTester) async throws in
      let batch = (0..<20).map { PrimerTester.event("e\($0)", "custom") }
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for _ in 0..<10 { group.addTask { try await tester.deliver(batch) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0.status == 202 })
      #expect(answers.compactMap { $0.json["accepted"]?.double }.reduce(0, +) == 20)
      #expect(answers.compactMap { $0.json["duplicates"]?.double }.reduce(0, +) == 180)
      #expect(try await tester.deliver([batch[0], batch[0], PrimerTester.event("new", "x")]).json["accepted"] == 1)
      let kept = try await tester.server.application.door(PrimerDoor.self)?.events() ?? []
      #expect(kept.compactMap { $0["id"]?.string } == (0..<20).map { "e\($0)" } + ["new"])
      #expect(kept[0] == batch[0], "as it was sent")
      #expect(try await tester.deliver([]).json["accepted"] == 0)
    }
  }

  @Test("An event that is none refuses its delivery, which keeps nothing, so that a client finds it by sending fewer")
  func refused() async throws {
    try await PrimerTester.run { (tester: PrimerTester) async throws in
      let good = PrimerTester.event("good", "x")
      let long = String(repeating: "x", count: 201)
      let bad: [JSONValue] = [
        .object(["id": "x"]), .null, 7, .array([good]), PrimerTester.event("", "x"), PrimerTester.event(long, "x"),
        PrimerTester.event("x", ""), PrimerTester.event("x", long), PrimerTester.event("x", "y", anonymous: ""),
        PrimerTester.event("x", "y", anonymous: "a\u{0}b"), PrimerTester.event("x\n", "y"),
        PrimerTester.event("x", "y", user: long), PrimerTester.event("x", "y", user: "a\u{0}"),
        PrimerTester.event("x", "y", padding: EventRules.mostBytes),
        .object(["id": "x", "name": "y", "user": .object(["anon": "z", "id": 7])]),
        .object(["id": 1, "name": "y", "user": .object(["anon": "z"])]),
        .object(["id": "x", "name": "y", "user": "z"]),
      ]
      for event in bad { #expect(try await tester.deliver([good, event]).status == 422, "\(event)") }
      #expect(try await tester.server.application.door(PrimerDoor.self)?.events().isEmpty == true)
      #expect(try await tester.deliver((0..<501).map { PrimerTester.event("\($0)", "x") }).status == 413)
      for body: JSONValue in [.object([:]), .object(["batch": "x"]), .array([]), "x", .null] {
        #expect(try await tester.post("/v1/events", body).status == 400)
      }
      #expect(try await tester.deliver([good], headers: ["X-Primer-Token": "other"]).status == 401)
      #expect(
        try await tester.deliver([good, PrimerTester.event("large", "x", padding: 250_000)]).json["accepted"] == 2)
    }
  }

  @Test("Events are bounded by number and by size: the oldest make room")
  func bounded() async throws {
    try await PrimerTester.run({
      $0.primer?.mostEvents = 50
      $0.primer?.mostEventBytes = 1 << 20
    }) { tester in
      for round in 0..<4 {
        #expect(try await tester.deliver((0..<20).map { PrimerTester.event("\(round)-\($0)", "x") }).status == 202)
      }
      var kept =
        try await tester.server.application.door(PrimerDoor.self)?.events().compactMap { $0["id"]?.string } ?? []
      #expect(kept.count == 50 && kept.last == "3-19" && kept.first == "1-10")
      for round in 0..<10 {
        #expect(try await tester.deliver([PrimerTester.event("large \(round)", "x", padding: 200_000)]).status == 202)
      }
      kept = try await tester.server.application.door(PrimerDoor.self)?.events().compactMap { $0["id"]?.string } ?? []
      #expect(kept == (5..<10).map { "large \($0)" })
    }
  }

  @Test("Identities are bounded: those that nothing was heard of for longest make room")
  func identities() async throws {
    try await PrimerTester.run({ $0.primer?.mostIdentities = 10 }) { tester in
      for number in 0..<15 {
        tester.server.clock.advance(by: 1)
        #expect(try await tester.post("/v1/users/a\(number)/identify", .object(["userId": "u"])).status == 204)
      }
      for (name, isKnown) in [("a0", false), ("a4", false), ("a5", true), ("a14", true)] {
        #expect(try await tester.standing(name).isLoggedIn == isKnown, "\(name)")
      }
      let count = try await tester.server.application.storage.read { db in
        try db.test.first(Int.self, "SELECT count(*) FROM primer_identities")
      }
      #expect(count == 10)
    }
  }

  @Test("Identifying takes a user and properties within bounds, and nothing else")
  func identify() async throws {
    try await PrimerTester.run { (tester: PrimerTester) async throws in
      func status(_ body: JSONValue, _ anonymous: String = "a1", _ headers: [String: String] = [:]) async throws -> Int
      {
        try await tester.post("/v1/users/\(anonymous)/identify", body, headers: headers).status
      }
      let long = JSONValue.string(String(repeating: "x", count: 9_000))
      for body: JSONValue in [
        .object([:]), .object(["userId": ""]), .object(["userId": 7]), .object(["userId": long]),
        .object(["userId": "u", "properties": "x"]), .object(["userId": "u", "properties": .array([])]),
      ] {
        #expect(try await status(body) == 422, "\(body)")
      }
      #expect(try await status(.object(["userId": "u", "properties": .object(["x": long])])) == 413)
      #expect(try await status(.object(["userId": "u"]), "%00") == 422)
      #expect(try await status(.object(["userId": "u"]), "a1", ["X-Primer-Token": "other"]) == 401)
      #expect(try await tester.standing("a1") == .init(), "nothing was noted")
    }
  }

  @Test("Events and identities outlive the server")
  func restart() async throws {
    let folder = TemporaryFolder()
    try await PrimerTester.run({ $0.storage = .folder(folder.url) }) { (tester: PrimerTester) async throws in
      let events = [PrimerTester.event("1", "login", user: "u1"), PrimerTester.event("2", "x")]
      #expect(try await tester.deliver(events).json["accepted"] == 2)
    }
    try await TestServer.run({
      $0.storage = .folder(folder.url)
      $0.primer?.apps[0].token = PrimerTester.token
    }) { (server: TestServer) async throws in
      let tester = PrimerTester(server: server)
      #expect(try await tester.standing("a1").isLoggedIn)
      #expect(
        try await tester.deliver([PrimerTester.event("2", "x"), PrimerTester.event("3", "x")]).json["accepted"] == 1)
      #expect(try await server.application.door(PrimerDoor.self)?.events().count == 3)
    }
  }
}
