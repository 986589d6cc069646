import Crypto
import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

/// Pages whose server is started again, or whose form is sent where it doesn't belong, over loopback.
@Suite("Front room: pages and restarts", .timeLimit(.minutes(20)))
struct FrontRoomRestartTests {
  /// A browser that outlives the server.
  private struct Browser: Sendable {
    let server: TestServer
    let client: Client

    /// What the token endpoint answers an app.
    func token(_ fields: [String: String]) async throws -> Answer {
      let app = ["client_id": SalesforceTester.App.web.key, "client_secret": SalesforceTester.secret]
      return try await Client(origin: client.origin).post(
        "/services/oauth2/token", form: fields.merging(app) { $1 }.sorted { $0.key < $1.key })
    }

    /// Sends a page's form with its hidden fields.
    func submit(_ page: Answer, _ fields: [(String, String)], at action: String? = nil) async throws -> Answer {
      let form = try #require(GatewayTester.Form(page), "\(page.status) \(page.body)")
      let address = action ?? form.action.replacing("&amp;", with: "&")
      return try await client.post(address, form: form.fields + fields, headers: GatewayTester.html)
    }

    func get(_ target: String) async throws -> Answer { try await client.get(target, headers: GatewayTester.html) }
  }

  private static let name = "jane@example.com"
  /// The same after each start, at any port.
  private static let origin = "http://id.localhost:8080"
  private static let salesforceFields = [("username", name), ("password", TestServer.janesPassword)]
  private static let accountFields = [
    ("action", "login"), ("identifier", name), ("password", TestServer.janesPassword),
  ]

  /// A start of the server on the same data, at which a browser goes on with the cookies that it has.
  private static func run<Value: Sendable>(
    _ folder: TemporaryFolder, cookies: [String: String] = [:], after seconds: TimeInterval = 0,
    body: (Browser) async throws -> Value
  ) async throws -> (Value, cookies: [String: String]) {
    try await TestServer.run({ configuration in
      configuration.storage = .folder(folder.url)
      configuration.publicOrigin = origin
      configuration.salesforce?.orgs = [SalesforceOrg(name: "Acme")]
      configuration.salesforce?.apps = SalesforceTester.App.allCases.map(\.configuration)
    }) { server in
      server.clock.advance(by: seconds)
      if try await server.identity.user(named: name) == nil {
        try await server.identity.addUser(
          name: name, displayName: "Jane Doe", email: name, password: Secret(TestServer.janesPassword))
      }
      let client = Client(origin: "http://127.0.0.1:\(server.running.port)")
      for (name, value) in cookies { await client.setCookie(name, value) }
      let value = try await body(Browser(server: server, client: client))
      return (value, await client.cookies)
    }
  }

  private static let authorize = SalesforceTester.authorizeTarget(.web)

  // MARK: Restarts

  @Test("Bug-C18: the Salesforce door's pages outlive a restart: sign-in, then consent")
  func salesforce() async throws {
    let folder = TemporaryFolder()
    let (login, first) = try await Self.run(folder) { try await $0.get(Self.authorize) }
    let (consent, second) = try await Self.run(folder, cookies: first) { browser in
      let signed = try await browser.submit(login, Self.salesforceFields)
      #expect(signed.status == 303)
      return try await browser.get(try #require(signed.header("Location")))
    }
    #expect(consent.body.contains("id=\"consent\""))
    _ = try await Self.run(folder, cookies: second) { browser in
      let allowed = try await browser.submit(consent, [("decision", "allow")])
      #expect(allowed.status == 303)
      #expect(allowed.header("Location")?.hasPrefix(SalesforceTester.webCallback + "&code=") == true)
    }
  }

  @Test("Bug-C18: a device is let in though the server is started again at each page")
  func device() async throws {
    let folder = TemporaryFolder()
    let (start, first) = try await Self.run(folder) { browser in
      let device = try await browser.token(["response_type": "device_code"])
      let login = try await browser.submit(try await browser.get("/setup/connect"), Self.salesforceFields)
      #expect(login.status == 303)
      return (device.json, try await browser.get("/setup/connect"))
    }
    let code = try #require(start.0["user_code"]?.string)
    let (question, second) = try await Self.run(folder, cookies: first) { browser in
      try await browser.submit(start.1, [("user_code", code)])
    }
    #expect(question.body.contains("id=\"consent\""))
    _ = try await Self.run(folder, cookies: second, after: 10) { browser in
      #expect(try await browser.submit(question, [("decision", "allow")]).body.contains("id=\"success\""))
      let fields = ["grant_type": "device", "code": start.0["device_code"]?.string ?? ""]
      let tokens = try await browser.token(fields)
      #expect(tokens.status == 200, "\(tokens.body)")
    }
  }

  @Test("Bug-C18: the gateway's pages outlive a restart: sign-in with where to go, then sign-out")
  func gateway() async throws {
    let folder = TemporaryFolder()
    let (login, first) = try await Self.run(folder) { browser in
      let location = try #require(try await browser.get(GatewayTester.echo).header("Location"))
      return try await browser.get(location.replacing(Self.origin, with: ""))
    }
    let (home, second) = try await Self.run(folder, cookies: first) { browser in
      let signed = try await browser.submit(login, Self.salesforceFields)
      #expect(signed.status == 303)
      #expect(signed.header("Location") == Self.origin + GatewayTester.echo)
      return try await browser.get("/gateway")
    }
    _ = try await Self.run(folder, cookies: second) { browser in
      let out = try await browser.submit(home, [])
      #expect(out.body.contains("id=\"signed-out\""))
      #expect(try await browser.get("/gateway").body.contains("not signed in"))
    }
  }

  @Test("Bug-C18: what a start of the gateway held back is sent by the next one, once")
  func held() async throws {
    let folder = TemporaryFolder()
    let (page, cookies) = try await Self.run(folder) { browser in
      let sent = try await browser.client.post(
        GatewayTester.echo, form: [("item", "1")], headers: GatewayTester.html)
      let location = try #require(sent.header("Location")).replacing(Self.origin, with: "")
      let signed = try await browser.submit(try await browser.get(location), Self.salesforceFields)
      return try await browser.get(try #require(signed.header("Location")))
    }
    #expect(page.body.contains("id=\"continue\""))
    _ = try await Self.run(folder, cookies: cookies) { browser in
      let answer = try await browser.submit(page, [("action", "send")])
      #expect(answer.status == 303)
      let target = try #require(answer.header("Location")).replacing(Self.origin, with: "")
      #expect(try await browser.get(target).json["method"]?.string == "POST")
      #expect(try await browser.get(target).json["method"]?.string == "GET")
    }
  }

  @Test("Bug-C18: the account pages outlive a restart: sign-in, then sign-out")
  func accounts() async throws {
    let folder = TemporaryFolder()
    let (login, first) = try await Self.run(folder) { try await $0.get("/account/login") }
    let (home, second) = try await Self.run(folder, cookies: first) { browser in
      let signed = try await browser.client.post(
        "/account/login", form: try Self.flow(of: login) + Self.accountFields)
      #expect(signed.status == 303)
      return try await browser.get("/account")
    }
    _ = try await Self.run(folder, cookies: second) { browser in
      let out = try await browser.submit(home, [])
      #expect(out.body.contains("id=\"signed-out\""))
      #expect(try await browser.get("/account").body.contains("not signed in"))
    }
  }

  private static func flow(of page: Answer) throws -> [(String, String)] {
    let form = try #require(GatewayTester.Form(page))
    return [("flow", try #require(form["flow"]))]
  }

  // MARK: Tabs

  @Test("Two tabs of one browser work at once, at each place")
  func tabs() async throws {
    _ = try await Self.run(TemporaryFolder()) { browser in
      for target in [Self.authorize, "/gateway/login"] {
        let pages = [try await browser.get(target), try await browser.get(target)]
        for page in pages {
          #expect(try await browser.submit(page, Self.salesforceFields).status == 303, "\(target)")
        }
      }
      let pages = [try await browser.get("/account/login"), try await browser.get("/account/login")]
      for page in pages {
        let fields = try Self.flow(of: page) + Self.accountFields
        #expect(try await browser.client.post("/account/login", form: fields).status == 303)
      }
      // Two questions of two apps, answered in the other order.
      let targets = [Self.authorize, SalesforceTester.authorizeTarget(.mobile)]
      let questions = [try await browser.get(targets[0]), try await browser.get(targets[1])]
      for question in questions.reversed() {
        let answer = try await browser.submit(question, [("decision", "allow")])
        #expect(answer.header("Location")?.contains("code=") == true)
      }
    }
  }

  // MARK: Seals

  @Test("Bug-C14, Bug-C18: what is sealed for one page restarts another, and does nothing there")
  func purposes() async throws {
    _ = try await Self.run(TemporaryFolder()) { browser in
      let login = try await browser.get(Self.authorize)
      let token = try #require(login.formToken)
      #expect(try await browser.submit(login, Self.salesforceFields).status == 303)
      // The sign-in page's token, where consent is asked for.
      let consent = try await browser.get(Self.authorize)
      let action = try #require(consent.formAction)
      let other = try await browser.client.post(action, form: [("token", token), ("decision", "allow")])
      #expect(other.status == 303 && other.header("Location")?.hasPrefix("/services/oauth2/authorize?") == true)
      // The token of the page that asks for a device's code, where the device is let in.
      let device = try await browser.token(["response_type": "device_code"])
      let code = try #require(device.json["user_code"]?.string)
      let page = try await browser.get("/setup/connect?user_code=\(code)")
      let decision = try await browser.submit(
        page, [("decision", "allow")], at: "/setup/connect/decision?user_code=\(code)")
      #expect(decision.status == 303 && decision.header("Location") == "/setup/connect")
      let fields = ["grant_type": "device", "code": device.json["device_code"]?.string ?? ""]
      #expect(try await browser.token(fields).error == "authorization_pending")
    }
  }

  @Test("Bug-C18: what another door has sealed restarts the page, and does nothing here")
  func doors() async throws {
    _ = try await Self.run(TemporaryFolder()) { browser in
      let pages = [
        try await browser.get(Self.authorize), try await browser.get("/gateway/login"),
      ]
      let names = ["ostiary-salesforce-browser", "ostiary-login"]
      let cookies = await browser.client.cookies
      let numbers = try names.map { try #require(cookies[$0]) }
      let tokens = try pages.map { try #require(GatewayTester.Form($0)?["token"]) }
      // Each page's form with all that the other door has given the browser.
      for (here, there) in [(0, 1), (1, 0)] {
        await browser.client.setCookie(names[here], numbers[there])
        // The other door's number is none here: the browser gets another.
        let target = here == 0 ? Self.authorize : "/gateway/login"
        #expect(try await browser.get(target).cookie(names[here]) != nil)
        await browser.client.setCookie(names[here], numbers[there])
        let action = try #require(GatewayTester.Form(pages[here])).action.replacing("&amp;", with: "&")
        let answer = try await browser.client.post(
          action, form: [("token", tokens[there])] + Self.salesforceFields, headers: GatewayTester.html)
        #expect(answer.status == 403 && answer.body.contains("data-code=\"expired\""))
        #expect(try await browser.submit(answer, Self.salesforceFields).status == 303)
      }
    }
  }

  @Test("A page that is too old restarts, and the new one works", arguments: [0, 3601] as [TimeInterval])
  func expired(seconds: TimeInterval) async throws {
    _ = try await Self.run(TemporaryFolder()) { browser in
      let pages = [try await browser.get(Self.authorize), try await browser.get("/gateway/login")]
      let login = try await browser.get("/account/login")
      browser.server.clock.advance(by: seconds)
      for page in pages {
        let answer = try await browser.submit(page, Self.salesforceFields)
        #expect(answer.status == (seconds == 0 ? 303 : 403))
        guard seconds > 0 else { continue }
        #expect(answer.body.contains("data-code=\"expired\""))
        #expect(try await browser.submit(answer, Self.salesforceFields).status == 303)
      }
      let answer = try await browser.client.post("/account/login", form: try Self.flow(of: login) + Self.accountFields)
      #expect(answer.status == (seconds == 0 ? 303 : 410))
      guard seconds > 0 else { return }
      let again = try await browser.client.post("/account/login", form: try Self.flow(of: answer) + Self.accountFields)
      #expect(again.status == 303)
    }
  }

  @Test("Bug-C18: a page that is opened when the browser's number is nearly over works as long as any other")
  func numberOfYesterday() async throws {
    _ = try await Self.run(TemporaryFolder()) { browser in
      let targets = [Self.authorize, "/gateway/login", "/account/login"]
      for target in targets { _ = try await browser.get(target) }
      let before = await browser.client.cookies
      browser.server.clock.advance(by: 24 * 3600 - 60)
      var pages: [Answer] = []
      for target in targets { pages.append(try await browser.get(target)) }
      let after = await browser.client.cookies
      for name in ["ostiary-salesforce-browser", "ostiary-login", "ostiary-flow"] {
        #expect(before[name] != nil && after[name] != nil && before[name] != after[name], "\(name)")
      }
      browser.server.clock.advance(by: 600)
      for page in pages.prefix(2) {
        #expect(try await browser.submit(page, Self.salesforceFields).status == 303)
      }
      let form = try Self.flow(of: pages[2]) + Self.accountFields
      #expect(try await browser.client.post("/account/login", form: form).status == 303)
    }
  }

  // MARK: Earlier versions

  /// What the version before the front room sealed: an HMAC with a key of its own, over a purpose and the text.
  private static func earlier(_ key: KeyRing, _ purpose: String, _ texts: [String], until end: Date) -> String {
    let content = ([String(Int64(end.timeIntervalSince1970))] + texts).joined(separator: "\u{1F}")
    let encoded = Array(content.utf8).base64URL
    let message = Data("\(purpose)\u{1F}\(encoded)".utf8)
    return encoded + "." + HMAC<SHA256>.authenticationCode(for: message, using: key.key(for: "account.pages")).base64URL
  }

  @Test("Bug-C18: an account page of the version before works on; the doors' pages of it restart")
  func earlierVersion() async throws {
    _ = try await Self.run(TemporaryFolder()) { browser in
      let key = browser.server.application.storage.key
      let end = browser.server.clock.now.addingTimeInterval(20 * 3600)
      let number = RandomBytes.make(16).base64URL
      await browser.client.setCookie("ostiary-flow", Self.earlier(key, "account.browser", [number], until: end))
      let login = try await browser.get("/account/login")
      #expect(login.cookie("ostiary-flow") == nil)
      let fields = try Self.flow(of: login) + Self.accountFields
      #expect(try await browser.client.post("/account/login", form: fields).status == 303)
      let proof = Secret(try #require(await browser.client.cookies["ostiary-account"]))
      let mark = PageCookies.account(isSecure: false).mark(of: proof)
      let token = Self.earlier(key, "account.logout", [mark], until: end)
      let out = try await browser.client.post("/account/logout", form: [("token", token)])
      #expect(out.status == 200 && out.body.contains("id=\"signed-out\""))

      // Those of a door had a key that ended with their server.
      let lost = KeyRing.temporary()
      for (target, cookie, browserPurpose, purpose) in [
        (Self.authorize, "ostiary-salesforce-browser", "salesforce browser", "salesforce page"),
        ("/gateway/login", "ostiary-login", "browser", "form"),
      ] {
        await browser.client.forgetCookies()
        let page = try await browser.get(target)
        let action = try #require(GatewayTester.Form(page)).action.replacing("&amp;", with: "&")
        await browser.client.setCookie(cookie, Self.earlier(lost, browserPurpose, [number], until: end))
        let old = Self.earlier(lost, purpose, [number, "", ""], until: end)
        let answer = try await browser.client.post(
          action, form: [("token", old)] + Self.salesforceFields, headers: GatewayTester.html)
        #expect(answer.status == 403 && answer.body.contains("data-code=\"expired\""))
        #expect(try await browser.submit(answer, Self.salesforceFields).status == 303)
      }
    }
  }
}
