import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

@Suite("Primer door: delivery", .timeLimit(.minutes(20)))
struct PrimerDeliveryTests {
  private static func document(_ id: String, _ type: String, requiresLogin: Bool = true, flow: String = "custom")
    -> Data
  {
    Data(
      """
      {"format": 1, "id": "\(id)", "version": 1, "type": "\(type)", "requiresLogin": \(requiresLogin), "later": [1.50],
       "flows": [{"id": "f", "kind": "\(flow)", "screens": [{"id": "s", "actions": [{"id": "x", "kind": "dismiss"}]}]}]}
      """.utf8)
  }

  @Test("An experience is delivered byte for byte to apps that show the token, and not again while it is the same")
  func delivery() async throws {
    try await PrimerTester.run { tester in
      let first = try await tester.experience("?type=new_user")
      #expect(first.status == 200 && first.header("Content-Type") == "application/json")
      #expect(Data(first.body.utf8) == StarterExperience.document)
      #expect(first.header("Cache-Control") == "private, no-cache" && first.header("Vary") == "X-Primer-Token")
      let tag = try #require(first.header("ETag"))
      for known in [tag, "W/" + tag, "\"x\" , \(tag)", "*"] {
        let again = try await tester.experience("?type=new_user", ["If-None-Match": known])
        #expect(again.status == 304 && again.body.isEmpty && again.header("ETag") == tag)
      }
      #expect(try await tester.experience("?type=new_user", ["If-None-Match": "\"other\""]).status == 200)
      #expect(try await tester.experience().status == 200, "automatic, and nobody in particular")
      #expect(try await tester.experience("?type=nonsense").status == 400)
      for wrong in ["", "app-toke", "app-token2", "APP-TOKEN"] {
        #expect(try await tester.experience("", ["X-Primer-Token": wrong]).status == 401)
      }
      #expect(try await tester.server.client().get("/primer/v1/experience").status == 401)
      #expect(try await tester.server.client().send("DELETE", "/primer/v1/experience").status == 405)
    }
  }

  @Test("A type has its own experience or, where an app has none, the first with a flow for it")
  func types() async throws {
    let documents = [
      Self.document("new", "newUser"), Self.document("in", "login"),
      Self.document("tour", "custom", flow: "recoverPassword"),
    ]
    try await PrimerTester.run({ $0.primer?.apps[0].experiences = documents }) { (tester: PrimerTester) async throws in
      for (type, id) in [
        ("automatic", "new"), ("new_user", "new"), ("login", "in"), ("recover_password", "tour"), ("custom", "tour"),
      ] {
        #expect(try await tester.experience("?type=\(type)").json["id"]?.string == id, "\(type)")
      }
    }
    // The starter has flows for three types; another may have nothing to show.
    try await PrimerTester.run { (tester: PrimerTester) async throws in
      for type in ["login", "recover_password"] {
        #expect(try await tester.experience("?type=\(type)").json["id"] == "starter")
      }
      #expect(try await tester.experience("?type=custom").status == 204)
    }
    let login = [Self.document("in", "login", flow: "signUp")]
    try await PrimerTester.run({ $0.primer?.apps[0].experiences = login }) { (tester: PrimerTester) async throws in
      #expect(try await tester.experience("?type=automatic").status == 204, "nobody is shown a log-in unasked")
      #expect(try await tester.experience("?type=new_user").status == 200)
    }
  }

  @Test(
    "Primer-P15: automatic delivery follows requiresLogin and who is logged in; explicit types ask nobody",
    arguments: [true, false])
  func automatic(requiresLogin: Bool) async throws {
    let document = Self.document("e", "newUser", requiresLogin: requiresLogin, flow: "signUp")
    try await PrimerTester.run({ $0.primer?.apps[0].experiences = [document] }) { tester in
      func status(_ user: String = "a1", type: String = "automatic") async throws -> Int {
        try await tester.experience("?type=\(type)&user=\(user)").status
      }
      func send(_ id: String, _ name: String, user: String? = nil) async throws {
        #expect(try await tester.deliver([PrimerTester.event(id, name, user: user)]).status == 202)
      }
      let seen = requiresLogin ? 200 : 204
      #expect(try await status() == 200, "never seen")
      #expect(try await status() == 200, "asking changes nothing")
      try await send("1", "flow_started")
      #expect(try await status() == seen, "seen")
      for (name, number) in [("login", 2), ("sign_up", 4), ("provider_login", 6)] {
        try await send("\(number)", name, user: "u1")
        #expect(try await status() == 204, "logged in")
        #expect(try await status("u1") == 204, "by the user's id as well")
        #expect(try await status("a2") == 200, "somebody else")
        #expect(try await status(type: "new_user") == 200)
        try await send("\(number + 1)", "logout", user: "u1")
        #expect(try await status() == seen, "logged out")
      }
      let body: JSONValue = .object(["userId": "u1", "properties": .object(["plan": "trial"])])
      #expect(try await tester.post("/v1/users/a1/identify", body).status == 204)
      #expect(try await status() == 204, "identified")
    }
  }

  @Test("Apps have experiences, events and users of their own")
  func apps() async throws {
    let one = PrimerApp(token: "one", experiences: [Self.document("first", "newUser")])
    let other = PrimerApp(token: "two", experiences: [Self.document("second", "newUser")])
    try await PrimerTester.run({ $0.primer?.apps = [one, other] }) { tester in
      for (token, id) in [("one", "first"), ("two", "second")] {
        #expect(try await tester.experience("", ["X-Primer-Token": token]).json["id"]?.string == id)
        let answer = try await tester.deliver([PrimerTester.event("e", "x")], headers: ["X-Primer-Token": token])
        #expect(answer.json["accepted"] == 1)
      }
      _ = try await tester.deliver([PrimerTester.event("l", "login")], headers: ["X-Primer-Token": "one"])
      #expect(try await tester.experience("?user=a1", ["X-Primer-Token": "one"]).status == 204)
      #expect(try await tester.experience("?user=a1", ["X-Primer-Token": "two"]).status == 200)
    }
  }

  @Test("The token that is made stays with the data")
  func madeToken() async throws {
    func token(_ folder: URL) async throws -> String {
      try await TestServer.run({ $0.storage = .folder(folder) }) { server in
        try #require(server.running.doors.compactMap { $0 as? PrimerDoor }.first?.token)
      }
    }
    let (one, other) = (TemporaryFolder(), TemporaryFolder())
    let first = try await token(one.url)
    #expect(first.count == 32)
    #expect(try await token(one.url) == first)
    #expect(try await token(other.url) != first)
  }

  @Test("What apps are given is checked before anything starts, each problem with its place")
  func problems() {
    func problems(_ change: (inout PrimerDoorConfiguration) -> Void) -> [String] {
      var configuration = ServerConfiguration()
      if var primer = configuration.primer {
        change(&primer)
        configuration.primer = primer
      }
      return configuration.problems
    }
    #expect(problems { _ in }.isEmpty)
    let bad = problems { $0.apps[0].experiences = [Data("{".utf8), Self.document("x y", "newUser", flow: "nonsense")] }
    #expect(bad.count == 3)
    #expect(bad[0].hasPrefix("Primer: Experience 1: $"))
    #expect(bad.contains { $0.hasPrefix("Primer: Experience 2: $.id: ") })
    #expect(bad.contains { $0.hasPrefix("Primer: Experience 2: $.flows[0].kind: ") })
    let trap = String(decoding: Self.document("a", "login"), as: UTF8.self).replacing("dismiss", with: "back")
    let trapped = problems { $0.apps[0].experiences = [Data(trap.utf8)] }
    #expect(trapped.count == 1 && trapped[0].hasPrefix("Primer: Experience 1: $.flows[0].screens[0]: "), "Bug-G12")
    let twice = problems { $0.apps[0].experiences = [Self.document("a", "login"), Self.document("b", "login")] }
    #expect(twice.count == 1 && twice[0].contains("of the type login"))
    for token in ["", " ", "a b", "ä", String(repeating: "x", count: 201), "a\r\nb"] {
      #expect(problems { $0.apps[0].token = token }.count == 1)
    }
    #expect(problems { $0.apps = [PrimerApp(), PrimerApp()] }.count == 1)
    #expect(problems { $0.apps = [] }.count == 1)
    #expect(problems { $0.mostEvents = 0 }.count == 1 && problems { $0.mostEventBytes = 0 }.count == 1)
    #expect(problems { $0.mostIdentities = 0 }.count == 1)
    let many = problems {
      $0.apps[0].experiences = [Data(#"{"flows":[\#((0..<30).map { _ in "1" }.joined(separator: ","))]}"#.utf8)]
    }
    #expect(many.count == 11 && many.last?.contains("more problems") == true)
  }
}
