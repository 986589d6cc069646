import Foundation
import HTTPTypes
import NIOHTTP1
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Pega door: limits, enumeration, session rules", .timeLimit(.minutes(10)))
struct PegaSecurityTests {
  private let password = TestServer.janesPassword

  /// What stays of an answer when ids, hashes, times and the name that was typed are masked.
  private func masked(_ answer: Answer, typed name: String = "") -> [String] {
    func mask(_ text: String) -> String {
      text.replacing(/[A-Za-z0-9_-]{32}\*/, with: "HASH*").replacing(/%7Bpd%7D[A-Za-z0-9_-]{43}/, with: "ID")
        .replacing(/JSESSIONID=[0-9A-F]{32}/, with: "JSESSIONID=ID")
    }
    let headers = answer.headers.filter { !["date", "x-request-id"].contains($0.name.lowercased()) }
      .map { "\($0.name): \(mask($0.value))" }
    return ["\(answer.status)"] + headers.sorted()
      + [mask(answer.body).replacing(" value=\"\(name)\"", with: " value=\"NAME\"")]
  }

  @Test("PW-22: passwords, in any encoding, and session ids are in no log, no foreign answer, no journal and no file")
  func secretsStayHome() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ostiary-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let canary = "canary+s3cret/é word"
    var secrets = [canary, Data(canary.utf8).base64EncodedString(), Client.encode(canary)]
    secrets.append(Client.encode(Data(canary.utf8).base64EncodedString()))
    secrets.append(Data("jdoe:\(canary)".utf8).base64EncodedString())
    secrets.append(canary.replacingOccurrences(of: " ", with: "+"))
    let said = try await TestServer.runWithJane(password: canary, { $0.storage = .folder(folder) }) { server in
      var said = ""
      for pathway in Pathways.allCases {
        let client = server.client()
        said += try await pathway.send(client, "jdoe", canary).body
        for (_, value) in await client.cookies { secrets.append(value) }
        said += try await pathway.send(server.client(), "nobody", canary).body
        said += try await client.get("/prweb/PRServlet?pyActivity=%zz&Password=\(Client.encode(canary))").body
        said += try await client.get("/nowhere?Password=\(Client.encode(canary))").body
      }
      try await server.application.storage.close()
      said += try await Pathways.query.send(server.client(), "jdoe", canary).body
      said += String(describing: server.application.journal?.entries ?? [])
      return said + server.logs.text
    }
    #expect(said.contains("authentication accepted"))
    for secret in secrets {
      #expect(!said.contains(secret))
      for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        #expect(try Data(contentsOf: file).range(of: Data(secret.utf8)) == nil)
      }
    }
  }

  @Test("PW-22: a request that is printed, dumped or reflected shows no query, header or body")
  func requestsAreSilent() throws {
    let request = DoorRequest(
      method: .post, path: "/x", query: try #require(FormFields(encoded: "Password=canary".utf8)),
      headers: [.authorization: "canary"], body: Array("canary".utf8), parameters: ["a": "canary"],
      clientAddress: "127.0.0.1", id: "1")
    var dumped = ""
    dump(request, to: &dumped)
    dump(request.query, to: &dumped)
    let printed = dumped + "\(request) \(String(reflecting: request)) \(request.query)"
    #expect(!printed.contains("canary"))
    #expect(printed.contains("POST /x"))
  }

  @Test(
    "LO-02: after the free failures even the right password waits, and is told how long", arguments: Pathways.allCases)
  func waits(pathway: Pathways) async throws {
    try await TestServer.runWithJane({ $0.loginLimits.freeFailures = 2 }) { server in
      for _ in 0..<2 {
        let found = try await pathway.tries(server.client(), "jdoe", "wrong")
        #expect(found == .refused)
      }
      let wrong = try await pathway.send(server.client(), "jdoe", "wrong")
      let right = try await pathway.send(server.client(), "jdoe", password)
      #expect(wrong.status == 429)
      #expect(wrong.header("Retry-After") == "30")
      #expect(masked(wrong) == masked(right))
      server.clock.advance(by: 31)
      #expect(try await pathway.tries(server.client(), "jdoe", password) == .accepted)
    }
  }

  @Test("LO-06: all pathways share one count")
  func sharedCount() async throws {
    try await TestServer.runWithJane({ $0.loginLimits.freeFailures = Pathways.allCases.count }) { server in
      for pathway in Pathways.allCases {
        let outcome = try await pathway.tries(server.client(), "jdoe", "wrong")
        #expect(outcome == .refused)
      }
      for pathway in Pathways.allCases {
        let outcome = try await pathway.tries(server.client(), "jdoe", password)
        #expect(outcome == .wait)
      }
    }
  }

  @Test("LO-12: what exceeds the hash pool gets 503 and Retry-After, while health and signed-in users are served")
  func overload() async throws {
    try await TestServer.runWithJane({
      $0.loginLimits.addressBurst = 1000
      $0.development?.hashParameters = .insecureForDevelopmentOnly(memoryKiB: 16_384, iterations: 4)
      $0.development?.hashWorkers = 1
      $0.development?.hashQueue = 4
    }) { server in
      let signedIn = server.client()
      try await signedIn.login("jdoe", password)
      let outcomes = try await withThrowingTaskGroup(of: Answer.self) { group in
        for number in 0..<100 {
          group.addTask { try await server.client().login("nobody\(number)", "wrong") }
        }
        for _ in 0..<20 {
          let alive = try await server.client().get("/healthz").status
          let ready = try await server.client().ready().status
          let user = try await signedIn.whoAmI()
          #expect(alive == 200)
          #expect(ready == 200)
          #expect(user == "jdoe")
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let busy = outcomes.filter { $0.status == 503 }
      #expect(!busy.isEmpty)
      #expect(busy.allSatisfy { Int($0.header("Retry-After") ?? "").map { $0 > 0 } == true })
      #expect(outcomes.contains { $0.status == 401 })
      #expect(outcomes.allSatisfy { $0.status == 503 || $0.status == 401 })
    }
  }

  @Test("EN-01: unknown, wrong, disabled and password-less answer the same bytes", arguments: Pathways.allCases)
  func noEnumeration(pathway: Pathways) async throws {
    try await TestServer.runWithJane { server in
      try await server.identity.addUser(name: "lock", password: Secret(password))
      try await server.identity.disableUser(named: "lock")
      try await server.identity.addUser(name: "bare")
      var answers: Set<[String]> = []
      for (name, password) in [
        ("jdoe", "wrong"), ("none", password), ("lock", password), ("lock", "wrong"), ("bare", "x"),
      ] {
        answers.insert(masked(try await pathway.send(server.client(), name, password), typed: name))
      }
      #expect(answers.count == 1)
    }
  }

  @Test("Override of EN-01: a door that is told to tell says that an account is locked")
  func tellsLocked() async throws {
    try await TestServer.runWithJane({ $0.pega?.tellsLockedAccounts = true }) { server in
      try await server.identity.disableUser(named: "jdoe")
      let answer = try await server.client().login("jdoe", password)
      #expect(answer.status == 403)
      guard case .array(let errors)? = answer.json["errors"] else {
        Issue.record("no errors")
        return
      }
      #expect(errors.first?["ID"] == "AccountLocked")
      let form = try await server.client().loginByForm("jdoe", password)
      #expect(form.status == 200)
      #expect(form.body.contains("<div id=\"error\" data-code=\"AccountLocked\">"))
      #expect(try await server.client().login("nobody", password).status == 401)
    }
  }

  @Test("EN-05: unknown names are throttled like known ones", arguments: Pathways.allCases)
  func throttlingTellsNothing(pathway: Pathways) async throws {
    try await TestServer.runWithJane({ $0.loginLimits.freeFailures = 2 }) { server in
      var histories: Set<[[String]]> = []
      for name in ["jdoe", "none"] {
        var history: [[String]] = []
        for _ in 0..<4 { history.append(masked(try await pathway.send(server.client(), name, "wrong"), typed: name)) }
        histories.insert(history)
      }
      #expect(histories.count == 1)
      #expect(histories.first?.last?.first == "429")
    }
  }

  @Test("SE-02: signing in again gives a new id and ends the one before", arguments: Pathways.all)
  func fixation(pathway: Pathways) async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      try await client.login("jdoe", password)
      let before = try #require(await client.cookies["Pega-RULES"])
      if pathway == .form {
        // The form is reached as a guest, so go there with both.
        #expect(try await client.get("/prweb/PRServlet").status == 302)
        try await client.post(
          "/prweb/PRServlet",
          form: [("UserIdentifier", "jdoe"), ("Password", password), ("pyActivity=Code-Security.Login", "")])
      } else {
        #expect(try await pathway.tries(client, "jdoe", password) == .accepted)
      }
      #expect(try await client.whoAmI() == "jdoe")
      #expect(await client.cookies["Pega-RULES"] != before)
      let thief = server.client()
      await thief.setCookie("Pega-RULES", before)
      #expect(try await thief.whoAmI() == nil)
    }
  }

  @Test("SE-03: an id that a client made up is never adopted")
  func madeUp() async throws {
    try await TestServer.runWithJane { server in
      let madeUp = "%09%7Bpd%7D\(String(repeating: "A", count: 43))%3D%3DA%7Bapp%7D"
      for pathway in Pathways.all {
        let client = server.client()
        await client.setCookie("Pega-RULES", madeUp)
        let guest = try await client.get("/prweb/PRServlet").cookie("Pega-RULES")
        #expect(guest != madeUp)
        await client.setCookie("Pega-RULES", madeUp)
        let outcome = try await pathway.tries(client, "jdoe", password)
        #expect(outcome == .accepted)
        let user = await client.cookies["Pega-RULES"]
        #expect(user != madeUp)
      }
      let client = server.client()
      await client.setCookie("Pega-RULES", madeUp)
      #expect(try await client.whoAmI() == nil)
    }
  }

  @Test("SE-04: a cookie replayed after log-off is 401 at once")
  func replayAfterLogOff() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      try await client.login("jdoe", password)
      let cookies = await client.cookies
      #expect(try await client.whoAmI() == "jdoe")
      try await client.get("/prweb/PRServlet?pyActivity=Code-Security.LogOff")
      for (name, value) in cookies { await client.setCookie(name, value) }
      #expect(try await client.get(Client.loginActivity).status == 401)
      #expect(try await client.get("/prweb/api/v1/cases").status == 401)
    }
  }

  @Test("SE-05: a session in use ends at its absolute limit")
  func absoluteLimit() async throws {
    try await TestServer.runWithJane({
      $0.pega?.sessionLimits.idle = .seconds(3600)
      $0.pega?.sessionLimits.absolute = .seconds(3 * 3600)
    }) { server in
      let client = server.client()
      try await client.login("jdoe", password)
      for _ in 0..<5 {
        server.clock.advance(by: 1799)
        let user = try await client.whoAmI()
        #expect(user == "jdoe")
      }
      server.clock.advance(by: 1806)
      #expect(try await client.whoAmI() == nil)
    }
  }

  @Test("SE-06: disabling a user ends all sessions at once; dropping sessions does, too")
  func disabling() async throws {
    try await TestServer.runWithJane { server in
      let (phone, desk) = (server.client(), server.client())
      for client in [phone, desk] { try await client.login("jdoe", password) }
      try await server.identity.disableUser(named: "jdoe")
      for client in [phone, desk] {
        let found = try await client.whoAmI()
        #expect(found == nil)
      }
      try await server.identity.enableUser(named: "jdoe")
      for client in [phone, desk] { try await client.login("jdoe", password) }
      #expect(try await server.application.dropSessions(ofUserNamed: "jdoe") == 2)
      for client in [phone, desk] {
        let found = try await client.whoAmI()
        #expect(found == nil)
      }
      #expect(try await server.application.dropSessions(ofUserNamed: "nobody") == 0)
    }
  }

  @Test("SE-11: a page of another site can't sign anybody in by the form, nor can a form of another session")
  func loginCSRF() async throws {
    try await TestServer.runWithJane { server in
      let (victim, attacker) = (server.client(), server.client())
      try await victim.get("/prweb/PRServlet")
      let location = try #require(try await attacker.get("/prweb/PRServlet").header("Location"))
      let page = try await attacker.get(location)
      let answer = try await victim.submit(page, "jdoe", password)
      #expect(answer.body.contains("data-code=\"SessionExpired\""))
      #expect(try await victim.whoAmI() == nil)
      // Browsers without Fetch Metadata tell the origin alone.
      for told in [
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "https://evil.example"],
        ["Origin": "http://127.0.0.1:1"], ["Origin": "garbage"],
      ] {
        let crossSite = try await victim.post(
          "/prweb/PRServlet",
          form: [("UserIdentifier", "jdoe"), ("Password", password), ("pyActivity=Code-Security.Login", "")],
          headers: told)
        #expect(crossSite.body.contains("data-code=\"SessionExpired\""), "\(told)")
        #expect(try await victim.whoAmI() == nil, "\(told)")
      }
    }
  }

  @Test("Override of SE-11: a link with a query credential signs in from anywhere, as the vendor's SnapStart links do")
  func linksSignIn() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      try await client.get(
        Client.servlet + "?pyActivity=pyMobileSnapStart" + Client.queryCredential("jdoe", password),
        headers: ["Sec-Fetch-Site": "cross-site"])
      #expect(try await client.whoAmI() == "jdoe")
    }
  }

  @Test("Override of CK-05: log-off and logins by GET change state, as the vendor's do; a HEAD does, too")
  func stateByGET() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let answer = try await client.send("HEAD", Client.loginActivity, headers: Client.basic("jdoe", password))
      #expect(answer.status == 200)
      #expect(answer.body.isEmpty)
      #expect(try await client.whoAmI() == "jdoe")
    }
  }
}
