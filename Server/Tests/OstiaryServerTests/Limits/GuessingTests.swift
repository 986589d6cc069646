import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

/// Strangers and owners at the doors, over HTTP, each from an address of their own.
@Suite("Guessing", .timeLimit(.minutes(10)))
struct GuessingTests {
  private static let address = "jane@example.org"

  /// A server behind a proxy on this machine, whose word on addresses is taken.
  private static func run(body: (TestServer) async throws -> Void) async throws {
    try await TestServer.run({
      $0.trustedProxies = ["127.0.0.1"]
      $0.pega = PegaDoorConfiguration()
    }) { server in
      try await server.identity.addUser(
        name: "jdoe", displayName: "Jane Doe", email: address, password: Secret(TestServer.janesPassword))
      try await server.identity.addUser(name: "bob", password: Secret(TestServer.janesPassword))
      try await body(server)
    }
  }

  private static func from(_ address: String) -> [String: String] { ["X-Forwarded-For": address] }

  private static func flow(_ page: Answer) -> String {
    let rest = page.body.components(separatedBy: "name=\"flow\" value=\"").dropFirst().first ?? ""
    return String(rest.prefix { $0 != "\"" })
  }

  /// Fills in the page to sign in. 303 is success.
  private static func signIn(
    _ browser: Client, _ name: String = "jdoe", _ password: String = TestServer.janesPassword, from address: String
  ) async throws -> Answer {
    let page = try await browser.get("/account/login", headers: from(address))
    return try await browser.post(
      "/account/login",
      form: [("flow", flow(page)), ("action", "login"), ("identifier", name), ("password", password)],
      headers: from(address))
  }

  // MARK: C06

  @Test("Bug-C06: five wrong passwords from elsewhere keep an owner out at no door")
  func fiveFromElsewhere() async throws {
    try await Self.run { server in
      for _ in 0..<5 { _ = try await Self.signIn(server.client(), "jdoe", "wrong", from: "198.51.100.7") }
      #expect(try await Self.signIn(server.client(), from: "198.51.100.7").status == 429)
      // A device that was never here, at an address that was never here.
      #expect(try await Self.signIn(server.client(), from: "203.0.113.9").status == 303)
      let program = try await server.client().get(
        "/prweb/api/v1/authenticate",
        headers: Client.basic("jdoe", TestServer.janesPassword).merging(Self.from("203.0.113.10")) { $1 })
      #expect(program.status == 200, "\(program.body)")
    }
  }

  @Test("Bug-C06: a known device signs in from the very address that guesses, and a stranger there does not")
  func knownDevice() async throws {
    try await Self.run { server in
      let (owner, bob) = (server.client(), server.client())
      let address = "198.51.100.7"
      #expect(try await Self.signIn(owner, from: address).status == 303)
      #expect(try await Self.signIn(bob, "bob", from: address).status == 303)
      let device = try #require(await owner.cookies["ostiary-device"])
      for _ in 0..<6 { _ = try await Self.signIn(server.client(), "jdoe", "wrong", from: address) }
      #expect(try await Self.signIn(server.client(), from: address).status == 429)

      func onlyDevice(_ value: String) async -> Client {
        let client = server.client()
        await client.setCookie("ostiary-device", value)
        return client
      }
      #expect(try await Self.signIn(await onlyDevice(device), from: address).status == 303)
      // Another account's device is no known one, nor is one that was made up.
      let other = try #require(await bob.cookies["ostiary-device"])
      let ownTag = device.split(separator: ".").last.map(String.init) ?? ""
      for value in [other, "\(other.prefix(22)).\(ownTag)", "\(device.prefix(22)).AAAAAAAAAAAAAAAA", ".", device + "."]
      {
        #expect(try await Self.signIn(await onlyDevice(value), from: address).status == 429, "\(value)")
      }

      // Its own mistakes make it wait, and what ends all sessions ends it.
      for _ in 0..<5 { _ = try await Self.signIn(await onlyDevice(device), "jdoe", "wrong", from: address) }
      #expect(try await Self.signIn(await onlyDevice(device), from: address).status == 429)
      server.clock.advance(by: 3600)
      #expect(try await Self.signIn(await onlyDevice(device), from: address).status == 303)
      try await server.identity.setPassword(Secret("an entirely new password"), forUserNamed: "jdoe")
      for _ in 0..<5 { _ = try await Self.signIn(await onlyDevice(device), "jdoe", "wrong", from: address) }
      #expect(try await Self.signIn(server.client(), "jdoe", "an entirely new password", from: address).status == 429)
    }
  }

  @Test("Bug-C06: the mails of a known device are its own: strangers use none of them up")
  func mailsOfKnownDevice() async throws {
    try await Self.run { server in
      let owner = server.client()
      #expect(try await Self.signIn(owner, from: "203.0.113.9").status == 303)
      for index in 0..<8 { _ = try await Self.askForCode(server.client(), from: "198.51.100.\(index)") }
      let before = try await Self.codes(server)
      #expect(before.count == MailLimits.most)
      let flow = try await Self.askForCode(owner, from: "203.0.113.9")
      let code = try #require(try await Self.codes(server).last)
      #expect(!before.contains(code))
      #expect(try await Self.show(code, flow, owner, from: "203.0.113.9") == 303)
    }
  }

  @Test("Bug-C06: while 400 addresses guess, an owner on a new device is let in, after 15 minutes at most")
  func manyStrangers() async throws {
    let world = try IdentityWorld()
    try await world.identity.addUser(name: "ada", password: IdentityWorld.password)
    for index in 0..<400 {
      let address = "198.\(index < 200 ? 18 : 19).\(index % 200).1"
      #expect(await world.verify("ada", "wrong", from: address).summary == "refused")
      if index > 20 { #expect(await world.verify("ada", "wrong", from: address).summary == "wait 900") }
    }
    #expect(await world.verify("ada", "a slip", from: "203.0.113.1").summary == "refused")
    #expect(await world.verify("ada", IdentityWorld.password, from: "203.0.113.1").summary == "wait 900")
    world.clock.advance(by: .seconds(900))
    #expect(await world.verify("ada", IdentityWorld.password, from: "203.0.113.1").summary == "accepted")
    #expect(await world.verify("ada", IdentityWorld.password, from: "203.0.113.2").summary == "accepted")
  }

  // MARK: C01

  /// A recovery that waits for its code.
  private static func askForCode(
    _ browser: Client, _ email: String = address, from address: String
  ) async throws -> String {
    let flow = flow(try await browser.get("/account/recover", headers: from(address)))
    let asked = try await browser.post(
      "/account/recover", form: [("flow", flow), ("action", "send_code"), ("email", email)], headers: from(address))
    #expect(asked.status == 303, "\(asked.body)")
    return flow
  }

  private static func show(_ code: String, _ flow: String, _ browser: Client, from address: String) async throws -> Int
  {
    try await browser.post(
      "/account/recover", form: [("flow", flow), ("action", "check_code"), ("code", code)], headers: from(address)
    ).status
  }

  private static func codes(_ server: TestServer) async throws -> [String] {
    await server.mails(to: address).compactMap(\.code)
  }

  @Test("Bug-C01, Bug-C06: what another browser asks or guesses ends nothing of a code that was mailed")
  func otherBrowsers() async throws {
    try await Self.run { server in
      let (owner, stranger) = (server.client(), server.client())
      let flow = try await Self.askForCode(owner, from: "203.0.113.9")
      let code = try #require(try await Self.codes(server).last)
      let theirs = try await Self.askForCode(stranger, from: "198.51.100.7")
      let other = try #require(try await Self.codes(server).last)
      #expect(other != code)
      for _ in 0..<7 { _ = try await Self.show("00000000", theirs, stranger, from: "198.51.100.7") }
      // Neither browser's code is the other's.
      #expect(try await Self.show(other, flow, owner, from: "203.0.113.9") == 422)
      #expect(try await Self.show(code, flow, stranger, from: "198.51.100.7") == 403)
      #expect(try await Self.show(code, flow, owner, from: "203.0.113.9") == 303)
    }
  }

  @Test(
    "Bug-C01: a browser that asks again is issued no second code while one is good, and the first serves both pages")
  func oneCodeOfABrowser() async throws {
    try await Self.run { server in
      let owner = server.client()
      let first = try await Self.askForCode(owner, from: "203.0.113.9")
      let code = try #require(try await Self.codes(server).last)
      let second = try await Self.askForCode(owner, from: "203.0.113.9")
      #expect(try await Self.codes(server).count == 1)
      #expect(try await Self.show("00000000", second, owner, from: "203.0.113.9") == 422)
      #expect(try await Self.show(code, second, owner, from: "203.0.113.9") == 303)
      // Once, and by one of them.
      #expect(try await Self.show(code, first, owner, from: "203.0.113.9") == 422)
    }
  }

  @Test("Bug-C01: no code is good that was not mailed")
  func onlyMailed() async throws {
    try await Self.run { server in
      for index in 0..<12 { _ = try await Self.askForCode(server.client(), from: "198.51.100.\(index)") }
      #expect(try await Self.codes(server).count == MailLimits.most)
      let live = try await server.application.storage.read { db in
        try Int.fetch(db, "SELECT count(*) FROM flows WHERE code_hash IS NOT NULL")
      }
      #expect(live == MailLimits.most)
    }
  }

  @Test("Bug-C01: wrong codes are counted for the account, from all of a /48 together, and are logged")
  func countedCodes() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    var statuses: [Int] = []
    for index in 0..<MailLimits.most {
      var client = FlowWorld.browser("b\(index)")
      client.address = "2001:db8:0:\(index)::1"
      let flow = try await world.askForCode(FlowWorld.address, client)
      for _ in 0..<FlowService.mostAttempts {
        let outcome = try await world.submit(.recover, flow, .checkCode, ["code": "00000000"], client)
        statuses.append(outcome.status.code)
      }
    }
    #expect(statuses == Array(repeating: 422, count: 20) + Array(repeating: 429, count: 5))
    #expect(world.base.log.text.contains("code refused") && world.base.log.text.contains("code waits"))
  }

  @Test("Bug-C01: codes have 40 bits")
  func bits() { #expect(FlowCode.bits == 40 && UserCode.bits > 40) }

  // MARK: C14

  private static func device(
    _ tester: SalesforceTester, _ app: SalesforceTester.App = .mobile, from address: String
  ) async throws -> Answer {
    try await tester.token(["response_type": "device_code", "scope": "api"], app: app, headers: from(address))
  }

  /// A browser in which Jane has signed in, and its page for codes.
  private static func connect(_ tester: SalesforceTester, query: String = "") async throws -> (Client, Answer) {
    let browser = tester.server.client()
    let login = try await browser.get("/setup/connect" + query)
    let signedIn = try await tester.submit(
      login, browser, [("username", "jane@example.com"), ("password", SalesforceTester.password)])
    return (browser, try await browser.get(try #require(signedIn.header("location"))))
  }

  @Test(
    "Bug-C14: one address gets so many device codes of a client and no more; another, and another client, get theirs")
  func deviceLimits() async throws {
    try await SalesforceTester.run(server: { $0.trustedProxies = ["127.0.0.1"] }) { tester in
      var answers: [Int] = []
      for _ in 0..<25 { answers.append(try await Self.device(tester, from: "198.51.100.7").status) }
      #expect(answers == Array(repeating: 200, count: 20) + Array(repeating: 429, count: 5))
      #expect(try await Self.device(tester, from: "198.51.100.7").header("Retry-After") == "30")
      #expect(try await Self.device(tester, from: "203.0.113.9").status == 200)
      #expect(try await Self.device(tester, .web, from: "198.51.100.7").status == 200)
      tester.server.clock.advance(by: 30)
      #expect(try await Self.device(tester, from: "198.51.100.7").status == 200)
    }
  }

  @Test("Bug-C14: a page's token for entering a code is none for deciding")
  func purposes() async throws {
    try await SalesforceTester.run { tester in
      let device = try await Self.device(tester, from: "127.0.0.1")
      let code = try #require(device.json["user_code"]?.string)
      let (browser, page) = try await Self.connect(tester, query: "?user_code=" + code)
      let token = try #require(page.formToken)
      _ = try await browser.post(
        "/setup/connect/decision?user_code=" + code, form: [("token", token), ("decision", "allow")])
      let poll = try await tester.token(
        ["grant_type": "device", "code": device.json["device_code"]?.string ?? ""], app: .mobile)
      #expect(poll.error == "authorization_pending")
      // The page's own form leads there.
      let question = try await tester.submit(page, browser, [("user_code", code)])
      #expect(try await tester.submit(question, browser, [("decision", "allow")]).status == 200)
    }
  }

  @Test("Bug-C14: wrong codes are counted where a device is decided about, too")
  func decisions() async throws {
    try await SalesforceTester.run { tester in
      let device = try await Self.device(tester, from: "127.0.0.1")
      let code = try #require(device.json["user_code"]?.string)
      let (browser, page) = try await Self.connect(tester)
      let question = try await tester.submit(page, browser, [("user_code", code)])
      #expect(try await tester.submit(question, browser, [("decision", "deny")]).status == 200)
      var statuses: [Int] = []
      for _ in 0..<11 {
        statuses.append(try await tester.submit(question, browser, [("decision", "allow")]).status)
      }
      #expect(statuses == Array(repeating: 200, count: 10) + [429])
      #expect(try await tester.submit(page, browser, [("user_code", "BCDFGHJKLM")]).status == 429)
    }
  }

  /// What a client is told that shows a secret and a refresh token that is none.
  private static func secret(_ tester: SalesforceTester, _ secret: String, from address: String) async throws -> String
  {
    let fields = [
      "grant_type": "refresh_token", "refresh_token": "x", "client_id": SalesforceTester.App.web.key,
      "client_secret": secret,
    ]
    let answer = try await tester.token(fields, headers: from(address))
    return "\(answer.status) " + (answer.error ?? "")
  }

  @Test("Bug-C14: wrong secrets of a client are counted by address, and another address's right one is looked at")
  func secrets() async throws {
    try await SalesforceTester.run(server: { $0.trustedProxies = ["127.0.0.1"] }) { tester in
      let (one, other, right) = ("198.51.100.7", "203.0.113.9", SalesforceTester.secret)
      var answers: [String] = []
      for _ in 0..<21 { answers.append(try await Self.secret(tester, "wrong", from: one)) }
      answers.append(try await Self.secret(tester, right, from: one))
      answers.append(try await Self.secret(tester, right, from: other))
      tester.server.clock.advance(by: 300)
      answers.append(try await Self.secret(tester, right, from: one))
      let late = ["429 rate_limit_exceeded", "429 rate_limit_exceeded", "400 invalid_grant", "400 invalid_grant"]
      #expect(answers == Array(repeating: "400 invalid_client", count: 20) + late)
    }
  }

  // MARK: EN-05

  @Test("Bug-C17, EN-05: waits don't tell which address belongs to which name")
  func addressAndName() async throws {
    try await Self.run { server in
      var answers: [[Int]] = []
      for (address, name, place) in [
        (Self.address, "jdoe", "198.51.100.7"), ("nobody@example.org", "nobody", "198.51.100.8"),
      ] {
        var statuses: [Int] = []
        for _ in 0..<6 {
          statuses.append(try await Self.signIn(server.client(), address, "wrong", from: place).status)
        }
        statuses.append(try await Self.signIn(server.client(), name, "wrong", from: place).status)
        answers.append(statuses)
      }
      #expect(answers[0] == answers[1])
      #expect(answers[0] == [422, 422, 422, 422, 422, 429, 422])
    }
  }
}
