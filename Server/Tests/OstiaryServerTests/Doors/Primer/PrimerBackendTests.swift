import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Flow door: an app's backend", .timeLimit(.minutes(20)))
struct PrimerBackendTests {
  private static let good = JSONValue.string(PrimerTester.otherPassword)

  private static func fields(_ answer: Answer) -> [String: String] {
    (answer.json["codes"]?.object ?? [:]).compactMapValues(\.string)
  }

  private static func users(_ tester: PrimerTester) async throws -> [String] {
    try await tester.server.identity.users().map(\.name)
  }

  @Test("Flow-F1: an unknown account, a wrong password and a disabled account get one answer")
  func logIn() async throws {
    try await PrimerTester.run { tester in
      try await tester.server.identity.addUser(
        name: "gone", email: "gone@example.com", password: Secret(PrimerTester.password))
      try await tester.server.identity.disableUser(named: "gone")
      var answers: Set<String> = []
      for name in [
        "jane@example.com", "JANE@Example.com", "jane", "nobody@example.com", "gone@example.com", "no\u{0}body",
      ] {
        for password in ["wrong", "another wrong password", String(repeating: "x", count: 5_000)] {
          // An address for each, so that none has to wait.
          let answer = try await tester.post(
            "/login", .object(["email": .string(name), "password": .string(password)]), from: "10.\(answers.count).0.1")
          try await tester.server.identity.unlock(userNamed: "jane")
          answers.insert("\(answer.status) \(answer.body) \(answer.headers.map { $0.name }.sorted())")
        }
      }
      #expect(answers.count == 1)
      #expect(answers.first?.hasPrefix("422 ") == true && answers.first?.contains("credentials.wrong") == true)
      let jane = try await tester.server.identity.user(named: "jane")?.id
      for (key, name) in [("email", "Jane@example.com"), ("email", "jane"), ("username", "jane"), ("email", " jane ")] {
        let answer = try await tester.post(
          "/login", .object([key: .string(name), "password": .string(PrimerTester.password), "remember": true]))
        #expect(answer.status == 200 && answer.json["userId"]?.string == jane && answer.json.count == 1)
      }
      let missing = try await tester.post("/login", .object(["email": 7, "password": .null]))
      #expect(missing.status == 422)
      #expect(Self.fields(missing) == ["email": "field.required", "password": "field.required"])
      #expect(missing.json["error"] == nil)
    }
  }

  @Test("Flow-F1: known and unknown cost the same hashes, in logging in and in recovering")
  func sameWork() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let origin = try #require(Origin(scheme: "https", host: "id.example.org", port: nil))
    let door = PrimerDoor(
      configuration: PrimerDoorConfiguration(), origin: origin, identity: world.identity, flows: world.service,
      offersSignUp: true, isForThisMachineOnly: true)
    func work(_ call: (DoorRequest) async throws -> DoorResponse, _ body: String) async throws -> Int {
      _ = world.base.takeHashes()
      let request = DoorRequest(
        method: .post, path: "/", query: .none, headers: [.contentType: "application/json"], body: Array(body.utf8),
        parameters: [:], clientAddress: "192.0.2.1", id: "test")
      do { _ = try await call(request) } catch is PrimerRefusal {}
      return world.base.takeHashes().map(\.work).reduce(0, +)
    }
    for address in [FlowWorld.address, "nobody@example.com"] {
      let name = #"{"email":"\#(address)""#
      #expect(try await work(door.logIn, name + #","password":"a wrong password"}"#) == IdentityWorld.cheap.work)
      #expect(try await work(door.recover, name + "}") == 0)
    }
  }

  @Test(
    "Flow-F6: signing up says what is taken, malformed and too weak, each on its field, and makes an account at once")
  func signUp() async throws {
    try await PrimerTester.run { tester in
      for email in ["jane@example.com", "JANE@EXAMPLE.COM", " jane@example.com "] {
        let taken = try await tester.post("/signup", .object(["email": .string(email), "password": Self.good]))
        #expect(taken.status == 422 && Self.fields(taken) == ["email": "email.taken"])
        #expect(taken.json["fields"]?["email"] == "That e-mail address has an account already.")
        #expect(taken.json["error"] == nil)
      }
      let cases: [([String: JSONValue], [String: String])] = [
        (["email": "a@example.com", "password": "weak"], ["password": "password.too_short"]),
        (["email": "a@example.com", "password": "aaaaaaaaaaaaaaaa"], ["password": "password.too_common"]),
        (
          ["email": "a@example.com", "password": .string(String(repeating: "é", count: 1_025))],
          ["password": "password.too_long"]
        ),
        (["email": "nobody", "password": ""], ["email": "email.invalid", "password": "field.required"]),
        ([:], ["email": "field.required", "password": "field.required"]),
        (["email": .array([]), "password": 7], ["email": "field.required", "password": "field.required"]),
        (["email": "a@example.com", "password": Self.good, "name": "a\u{0}b"], ["name": "field.characters"]),
      ]
      for (body, codes) in cases {
        let answer = try await tester.post("/signup", .object(body))
        #expect(answer.status == 422 && Self.fields(answer) == codes, "\(codes)")
      }
      #expect(try await Self.users(tester) == ["jane"])
      let made = try await tester.post(
        "/signup",
        .object([
          "email": "new@example.com", "password": Self.good, "name": "Nęw", "age": 7, "role": "admin",
          "userId": "u1", "tenant": "1",
        ]))
      let user = try #require(try await tester.server.identity.user(named: "new@example.com"))
      #expect(made.status == 200 && made.json == ["userId": .string(user.id)])
      #expect(
        user.email == "new@example.com" && user.displayName == "Nęw" && user.attributes.isEmpty && user.tenant == nil)
      let login = try await tester.post("/login", .object(["email": "new@example.com", "password": Self.good]))
      #expect(login.json["userId"]?.string == user.id)
      // An address that could be no user name.
      let other = try await tester.post("/signup", .object(["email": "1דני@example.com", "password": Self.good]))
      #expect(other.status == 200)
    }
  }

  @Test("Flow-F10: of 100 parallel sign-ups with one e-mail one makes an account")
  func oneAccount() async throws {
    try await PrimerTester.run({ $0.development?.hashQueue = 1000 }) { tester in
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for number in 0..<100 {
          group.addTask {
            try await tester.post(
              "/signup",
              .object([
                "email": .string(number % 2 == 0 ? "one@example.com" : "ONE@example.com"), "password": Self.good,
              ]),
              from: "10.0.0.\(number)")
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.count { $0.status == 200 } == 1)
      #expect(answers.count { $0.status == 422 && Self.fields($0) == ["email": "email.taken"] } == 99)
      #expect(try await Self.users(tester).count == 2)
    }
  }

  @Test("Flow-F9: validating judges the fields that are there, and does nothing")
  func validate() async throws {
    try await PrimerTester.run { tester in
      let bad = try await tester.post("/validate", .object(["email": "jane@example.com", "password": "short"]))
      #expect(bad.status == 422)
      #expect(Self.fields(bad) == ["email": "email.taken", "password": "password.too_short"])
      #expect(bad.json["fields"]?["password"] == "Use at least 15 characters.")
      for body: [String: JSONValue] in [["email": "free@example.com"], ["age": 7], [:], ["password": Self.good]] {
        let answer = try await tester.post("/validate", .object(body))
        #expect(answer.status == 200 && answer.json.isEmpty)
      }
      #expect(try await Self.users(tester) == ["jane"])
      let rows = try await Self.rows(tester)
      #expect(rows == 2, "nothing was written but Jane, and the count of the client's requests")
    }
  }

  private static func rows(_ tester: PrimerTester) async throws -> Int {
    try await tester.server.application.storage.read { db in
      try ["users", "flows", "outbox", "guesses", "sessions", "mail_counts", "primer_events", "primer_identities"]
        .reduce(0) {
          try $0 + (db.test.first(Int.self, "SELECT count(*) FROM \($1)") ?? 0)
        }
    }
  }

  @Test("Flow-F8: an address that asks too often waits, and others don't")
  func limits() async throws {
    try await PrimerTester.run { tester in
      let body: JSONValue = .object(["email": "free@example.com"])
      for _ in 0..<60 { #expect(try await tester.post("/validate", body).status == 200) }
      for path in ["/validate", "/signup"] {
        let blocked = try await tester.post(path, .object(["email": "x@example.com", "password": Self.good]))
        #expect(blocked.status == 429 && blocked.json["code"] == "limits.wait")
        #expect(blocked.header("Retry-After").flatMap { Int($0) }.map { (1...60).contains($0) } == true)
      }
      #expect(try await tester.post("/validate", body, from: "192.0.2.2").status == 200)
      #expect(try await Self.users(tester) == ["jane"])
      tester.server.clock.advance(by: 10)
      #expect(try await tester.post("/validate", body).status == 200)
      // Wrong passwords are counted with those of every other way in.
      for _ in 0..<5 {
        _ = await tester.server.identity.verify(
          username: "jane", password: "wrong", address: ClientAddress("10.1.1.1"), pathway: "test")
      }
      let login = try await tester.post("/login", .object(["email": "jane", "password": "wrong"]), from: "10.1.1.1")
      #expect(login.status == 429 && login.header("Retry-After") != nil)
    }
  }

  // MARK: A lost password

  private static func begin(_ tester: PrimerTester, _ email: String = PrimerTester.address) async throws -> JSONValue {
    let answer = try await tester.post("/recover", .object(["email": .string(email)]))
    #expect(answer.status == 200)
    return try #require(answer.json["flow"])
  }

  @Test("Flow-F7: a lost password is answered alike for every address; the mail goes to who has an account")
  func recover() async throws {
    try await PrimerTester.run { tester in
      var answers: Set<String> = []
      for name in [PrimerTester.address, "nobody@example.com"] {
        let answer = try await tester.post("/recover", .object(["email": .string(name)]))
        let flow = try #require(answer.json["flow"]?.string)
        answers.insert("\(answer.status) " + answer.body.replacing(flow, with: "") + " \(flow.count)")
        for step in 0..<6 {
          let guess = try await tester.post(
            "/recover", .object(["flow": .string(flow), "code": .string("1234567\(step)"), "password": Self.good]))
          answers.insert("\(step) \(guess.status) \(guess.body)")
        }
      }
      #expect(answers.count == 7)
      #expect(answers.contains { $0.hasPrefix("0 422") && $0.contains("code.wrong") })
      #expect(answers.contains { $0.hasPrefix("5 422") && $0.contains("code.exhausted") })
      await tester.server.application.settleMail()
      #expect(tester.server.application.insecureDevelopmentMailbox?.messages.count == 1)
      for body: [String: JSONValue] in [[:], ["email": ""], ["email": "nobody"], ["email": 7]] {
        #expect(try await tester.post("/recover", .object(body)).status == 422)
      }
    }
  }

  @Test("Flow-F5, Flow-F7: a right code and a good password make a new one, once", arguments: [true, false])
  func newPassword(atOnce: Bool) async throws {
    try await PrimerTester.run { tester in
      let flow = try await Self.begin(tester)
      let code = JSONValue.string(try #require(try await tester.code()))
      // A weak password doesn't use the code up, nor does one that is missing take the place of a good one.
      let weak = try await tester.post("/recover", .object(["flow": flow, "code": code, "password": "weak"]))
      #expect(weak.status == 422 && Self.fields(weak) == ["password": "password.too_short"])
      if atOnce {
        let done = try await tester.post("/recover", .object(["flow": flow, "code": code, "password": Self.good]))
        #expect(done.status == 200 && done.json.isEmpty)
      } else {
        #expect(Self.fields(try await tester.post("/recover", .object(["flow": flow]))) == ["code": "field.required"])
        let shown = try await tester.post("/recover", .object(["flow": flow, "code": code]))
        #expect(shown.status == 200 && shown.json["flow"] == flow)
        let none = try await tester.post("/recover", .object(["flow": flow, "code": code]))
        #expect(Self.fields(none) == ["password": "field.required"])
        #expect(try await tester.post("/recover", .object(["flow": flow, "password": Self.good])).status == 200)
      }
      for body: [String: JSONValue] in [
        ["code": code, "password": Self.good], ["password": Self.good], ["code": code],
      ] {
        let again = try await tester.post("/recover", .object(body.merging(["flow": flow]) { $1 }))
        #expect(again.status == 422 && again.json["userId"] == nil)
      }
      let login = JSONValue.object(["email": .string(PrimerTester.address), "password": Self.good])
      #expect(try await tester.post("/login", login).status == 200)
      let old = JSONValue.object(["email": "jane", "password": .string(PrimerTester.password)])
      #expect(try await tester.post("/login", old).status == 422)
    }
  }

  @Test("Flow-F7: of 20 that show one code at the same time with passwords of their own, one sets it")
  func parallelCodes() async throws {
    try await PrimerTester.run({ $0.development?.hashQueue = 1000 }) { tester in
      let flow = try await Self.begin(tester)
      let code = JSONValue.string(try #require(try await tester.code()))
      let winners = try await withThrowingTaskGroup(of: Int?.self) { group in
        for number in 0..<20 {
          group.addTask {
            let body: [String: JSONValue] = [
              "flow": flow, "code": code, "password": .string("\(number) " + PrimerTester.otherPassword),
            ]
            return try await tester.post("/recover", .object(body)).status == 200 ? number : nil
          }
        }
        return try await group.reduce(into: []) { if let number = $1 { $0.append(number) } }
      }
      #expect(winners.count == 1)
      let password = "\(winners.first ?? -1) " + PrimerTester.otherPassword
      let login = try await tester.post("/login", .object(["email": "jane", "password": .string(password)]))
      #expect(login.status == 200)
    }
  }

  @Test("Flow-F4: a recovery that is too old, another's or made up says so, and begins nothing")
  func expired() async throws {
    try await PrimerTester.run { tester in
      let flow = try await Self.begin(tester)
      let code = JSONValue.string(try #require(try await tester.code()))
      let body: JSONValue = .object(["flow": flow, "code": code, "password": Self.good])
      tester.server.clock.advance(by: 601)
      #expect(Self.fields(try await tester.post("/recover", body)) == ["code": "code.expired"])
      tester.server.clock.advance(by: 3600)
      let late = try await tester.post("/recover", body)
      #expect(late.status == 422 && late.json["code"] == "flow.expired")
      for other: JSONValue in ["", "x", .string(String(repeating: "A", count: 100_000))] {
        let answer = try await tester.post("/recover", .object(["flow": other, "code": code, "password": Self.good]))
        #expect(answer.status == 422 && answer.json["code"] == "flow.unknown")
      }
      // One of the pages' flows is no app's.
      let page = try await tester.server.client().get("/account/recover").body
      let text = page.components(separatedBy: "name=\"flow\" value=\"").dropFirst().first?.prefix { $0 != "\"" }
      let foreign = JSONValue.string(String(try #require(text)))
      #expect(
        try await tester.post("/recover", .object(["flow": foreign, "code": code])).json["code"] == "flow.unknown")
    }
  }

  // MARK: Who may

  @Test("The backend is for this machine unless it is opened, and can be closed; delivery is there in any case")
  func closed() async throws {
    for (backend, origin, status) in [
      (PrimerDoorConfiguration.Backend.onThisMachine, nil, 422), (.none, nil, 404), (.everywhere, nil, 422),
      (.onThisMachine, "https://id.example.org", 404), (.everywhere, "https://id.example.org", 422),
    ] as [(PrimerDoorConfiguration.Backend, String?, Int)] {
      try await TestServer.run({
        $0.primer?.backend = backend
        $0.publicOrigin = origin
        $0.development?.dangerouslyListensBeyondLoopback = true
      }) { server in
        let door = try #require(server.running.doors.compactMap { $0 as? PrimerDoor }.first)
        let client = Client(origin: "http://127.0.0.1:\(server.running.port)")
        for path in ["/login", "/signup", "/recover"] {
          let answer = try await client.send(
            "POST", "/primer" + path, headers: ["Content-Type": "application/json"], body: "{}")
          #expect(answer.status == status, "\(backend) \(path)")
        }
        #expect((door.backendAddress == nil) == (status == 404))
        let own = try await client.get("/primer/v1/experience", headers: ["X-Primer-Token": door.token])
        #expect(own.status == 200)
        #expect(door.signIn(as: "o'neil").contains(status == 404 ? "/v1/experience?type=login" : "/primer/login"))
      }
    }
  }

  @Test("Where nobody may make an account, or no mail goes out, the backend says so")
  func disabled() async throws {
    try await PrimerTester.run({ $0.accounts?.offersSignUp = false }) { tester in
      let answer = try await tester.post("/signup", .object(["email": "a@example.com", "password": Self.good]))
      #expect(answer.status == 422 && answer.json["code"] == "flow.disabled")
      #expect(try await Self.users(tester) == ["jane"])
    }
    try await PrimerTester.run({ $0.accounts = nil }) { tester in
      let answer = try await tester.post("/recover", .object(["email": .string(PrimerTester.address)]))
      #expect(answer.status == 422 && answer.json["code"] == "flow.disabled")
      #expect(
        try await tester.post("/signup", .object(["email": "a@example.com", "password": Self.good])).json["code"]
          == "flow.disabled")
    }
  }
}
