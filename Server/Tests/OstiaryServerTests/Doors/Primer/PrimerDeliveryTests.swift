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
      #expect(first.header("Cache-Control") == "public, no-cache" && first.header("Vary") == "X-Primer-Token")
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
    "Bug-G30: the app's token does not tell who is logged in: whoever is asked about, the answer is the same",
    arguments: [true, false])
  func oneAnswer(requiresLogin: Bool) async throws {
    let document = Self.document("e", "newUser", requiresLogin: requiresLogin, flow: "signUp")
    try await PrimerTester.run({ $0.primer?.apps[0].experiences = [document] }) { tester in
      func answers() async throws -> Set<String> {
        var answers: Set<String> = []
        for user in ["a1", "a2", "u1", "jane@example.com", "nobody"] {
          for (query, headers) in [("&user=\(user)", [:]), ("", ["X-Primer-User": user])] {
            let answer = try await tester.experience("?type=automatic" + query, headers)
            answers.insert(
              "\(answer.status) \(answer.header("ETag") ?? "") \(answer.header("Vary") ?? "") \(answer.body)")
          }
        }
        return answers
      }
      let before = try await answers()
      #expect(before.count == 1)
      for (number, name) in ["flow_started", "login", "logout", "sign_up"].enumerated() {
        #expect(try await tester.deliver([PrimerTester.event("\(number)", name, user: "u1")]).status == 202)
        #expect(try await answers() == before, "\(name)")
      }
      let body: JSONValue = .object(["userId": "jane@example.com", "properties": .object([:])])
      #expect(try await tester.post("/v1/users/a2/identify", body).status == 204)
      #expect(try await answers() == before)
      // The server's own side knows.
      #expect(try await tester.standing("u1") == .init(isLoggedIn: true, hasSeen: true))
      #expect(try await tester.standing("jane@example.com") == .init(isLoggedIn: true))
      #expect(try await tester.standing("nobody") == .init())
    }
  }

  @Test("Primer-P15: what events tell of a user is noted, for the anonymous id and for the user's own")
  func standings() async throws {
    try await PrimerTester.run { tester in
      func send(_ id: String, _ name: String, user: String? = nil) async throws {
        #expect(try await tester.deliver([PrimerTester.event(id, name, user: user)]).status == 202)
      }
      #expect(try await tester.standing("a1") == .init())
      try await send("1", "flow_started")
      #expect(try await tester.standing("a1") == .init(hasSeen: true))
      for (name, number) in [("login", 2), ("sign_up", 4), ("provider_login", 6)] {
        try await send("\(number)", name, user: "u1")
        for user in ["a1", "u1"] { #expect(try await tester.standing(user).isLoggedIn) }
        #expect(try await !tester.standing("a2").isLoggedIn)
        try await send("\(number + 1)", "logout", user: "u1")
        for user in ["a1", "u1"] { #expect(try await !tester.standing(user).isLoggedIn) }
      }
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
      _ = try await tester.deliver([PrimerTester.event("l", "login")], headers: ["X-Primer-Token": "two"])
      #expect(try await tester.standing("a1") == .init(), "of the first app")
    }
  }

  @Test("Bug-G30: an event that comes again with the app's new token counts once; with another app's it is another")
  func newToken() async throws {
    var one = PrimerApp(token: "new", experiences: [Self.document("first", "newUser")])
    one.formerTokens = ["oldest", "old"]
    let other = PrimerApp(token: "two", experiences: [Self.document("second", "newUser")])
    try await PrimerTester.run({ [one] in $0.primer?.apps = [one, other] }) { (tester: PrimerTester) async throws in
      func accepted(_ token: String) async throws -> JSONValue? {
        try await tester.deliver([PrimerTester.event("e", "login", user: "u1")], headers: ["X-Primer-Token": token])
          .json["accepted"]
      }
      #expect(try await accepted("old") == 1)
      for token in ["new", "oldest", "old"] { #expect(try await accepted(token) == 0, "\(token)") }
      #expect(try await accepted("two") == 1, "another app learns nothing of it")
      for token in ["new", "oldest", "old"] {
        #expect(try await tester.experience("", ["X-Primer-Token": token]).json["id"] == "first")
      }
      #expect(try await tester.standing("u1").isLoggedIn)
      #expect(try await tester.experience("", ["X-Primer-Token": "older"]).status == 401)
    }
  }

  @Test("Bug-G30: an app that gets a new token keeps its records, and an event from before counts once")
  func renamed() async throws {
    let folder = TemporaryFolder()
    for (token, formerTokens, accepted) in [
      ("first", [], 1), ("second", ["first"], 0), ("third", ["first", "second"], 0),
    ]
      as [(String, [String], JSONValue)]
    {
      try await TestServer.run({
        $0.storage = .folder(folder.url)
        $0.primer?.apps[0].token = token
        $0.primer?.apps[0].formerTokens = formerTokens
      }) { (server: TestServer) async throws in
        let tester = PrimerTester(server: server)
        let events = [PrimerTester.event("e", "login", user: "u1")]
        let answer = try await tester.deliver(events, headers: ["X-Primer-Token": token])
        #expect(answer.json["accepted"] == accepted, "\(token)")
        #expect(try await tester.standing("u1").isLoggedIn)
      }
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
    for former in ["", "a b", "t"] {
      let problems = problems {
        $0.apps[0].token = "t"
        $0.apps[0].formerTokens = [former]
      }
      #expect(problems.count == 1, "\(former)")
    }
    #expect(problems { $0.apps = [] }.count == 1)
    #expect(problems { $0.mostEvents = 0 }.count == 1 && problems { $0.mostEventBytes = 0 }.count == 1)
    #expect(problems { $0.mostIdentities = 0 }.count == 1)
    let many = problems {
      $0.apps[0].experiences = [Data(#"{"flows":[\#((0..<30).map { _ in "1" }.joined(separator: ","))]}"#.utf8)]
    }
    #expect(many.count == 11 && many.last?.contains("more problems") == true)
  }
}
