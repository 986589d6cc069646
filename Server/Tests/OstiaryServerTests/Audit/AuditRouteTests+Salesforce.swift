import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

extension AuditRouteTests {
  @Test("Bug-C16: Salesforce")
  func salesforce() async throws {
    try await Self.run({ configuration in
      configuration.salesforce?.apps = SalesforceTester.App.allCases.map { app in
        var configuration = app.configuration
        if app == .backend { configuration.rotatesRefreshTokens = true }
        return configuration
      }
      configuration.salesforce?.insecureFlows = [.usernamePassword]
    }) { server in
      let tester = SalesforceTester(server: server)
      try await Self.tokens(tester)
      try await Self.clients(tester)
      try await Self.browsers(tester)
      try await Self.devices(tester)
      try await Self.floods(tester)
      try await Self.expect(SalesforceModule.self, toTell: server)
    }
  }

  /// Codes, refreshes, assertions, revocations.
  private static func tokens(_ tester: SalesforceTester) async throws {
    func code(_ extra: [(String, String)] = []) async throws -> String {
      try await tester.code(.web, user: "jane", extra: extra)
    }
    let first = try await code()
    #expect(try await tester.redeem(first).status == 200)
    #expect(try await tester.redeem(first).status == 400)
    _ = try await tester.redeem("none")
    let second = try await code()
    _ = try await tester.redeem(second, redirect: SalesforceTester.loopbackCallback)
    _ = try await tester.redeem(second, verifier: String(repeating: "x", count: 43))
    _ = try await tester.redeem(second, .rotating)
    tester.server.clock.advance(by: 1800)
    _ = try await tester.redeem(second)
    let rotating = try await tester.signIn(.rotating, user: "jane")
    let refresh = rotating["refresh_token"]?.string
    #expect(try await tester.refresh(refresh, .rotating).status == 200)
    _ = try await tester.refresh(refresh, .rotating)
    let lost = try await tester.signIn(.backend, user: "jane")["refresh_token"]?.string
    for _ in 0..<2 { #expect(try await tester.refresh(lost, .backend).status == 200) }
    _ = try await tester.token(
      ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": "none"])
    for method in ["GET", "POST"] {
      let tokens = try await tester.signIn(.web, user: "jane")
      for name in ["access_token", "refresh_token"] {
        let token = tokens[name]?.string ?? ""
        let path = "/services/oauth2/revoke"
        let answer =
          method == "GET"
          ? try await tester.server.client().get("\(path)?token=\(Client.encode(token))")
          : try await tester.server.client().post(path, form: [("token", token)])
        #expect(answer.status == 200)
      }
    }
  }

  /// Apps that are not who they say they are, and passwords that apps send.
  private static func clients(_ tester: SalesforceTester) async throws {
    for path in ["/services/oauth2/token", "/services/oauth2/introspect"] {
      for (id, secret) in [("none", "none"), (SalesforceTester.App.web.key, "wrong")] {
        _ = try await tester.server.client().post(
          path,
          form: [("grant_type", "refresh_token"), ("token", "x"), ("client_id", id), ("client_secret", secret)])
      }
    }
    let right = try await tryPasswords(tester.server) { name, password in
      try await tester.token(["grant_type": "password", "username": name, "password": password], app: .web)
    }
    #expect(right.status == 200, "\(right.body)")
    func headless(_ authorization: [String: String], _ id: String = SalesforceTester.App.mobile.key) async throws
      -> Answer
    {
      try await tester.server.client().post(
        "/services/oauth2/authorize",
        form: [
          ("response_type", "code_credentials"), ("client_id", id), ("redirect_uri", SalesforceTester.webCallback),
        ], headers: authorization.merging(["Auth-Request-Type": "Named-User"]) { $1 })
    }
    #expect(try await tryPasswords(tester.server) { try await headless(Client.basic($0, $1)) }.status == 200)
    _ = try await headless(["Authorization": "Basic none"])
    _ = try await headless(Client.basic("jane", password), "none")
    _ = try await tester.server.client().get(
      "/services/oauth2/authorize?response_type=code&client_id=none&redirect_uri=x")
  }

  /// People who let an app in, or don't.
  private static func browsers(_ tester: SalesforceTester) async throws {
    let target = SalesforceTester.authorizeTarget(.web)
    let browser = tester.server.client()
    for page in [target, "/setup/connect"] {
      let right = try await tryPasswords(tester.server) { name, password in
        let login = try await browser.get(page + (page.contains("?") ? "&" : "?") + "prompt=login")
        return try await tester.submit(login, browser, [("username", name), ("password", password)])
      }
      #expect(right.status == 303)
      let login = try await browser.get(page + (page.contains("?") ? "&" : "?") + "prompt=login")
      let action = try #require(login.formAction)
      _ = try await browser.post(action, form: [("token", "x"), ("username", "jane"), ("password", password)])
      _ = try await tester.submit(login, browser, [("username", ""), ("password", "")])
      _ = try await tester.submit(login, browser, [("username", "jane"), ("password", password)])
    }
    // It was let in before.
    _ = try await tester.signIn(.web, user: "jane")
    #expect(try await browser.get(target).status == 302)
    let question = try await browser.get(target + "&prompt=consent")
    let action = try #require(question.formAction)
    _ = try await browser.post(action, form: [("token", "x"), ("decision", "allow")])
    for decision in ["deny", "allow"] { _ = try await tester.submit(question, browser, [("decision", decision)]) }
  }

  /// Devices that are let in, or kept out.
  private static func devices(_ tester: SalesforceTester) async throws {
    let browser = tester.server.client()
    var lastQuestion: Answer?
    _ = try await tester.submit(
      try await browser.get("/setup/connect"), browser, [("username", "jane"), ("password", password)])
    for decision in ["deny", "allow"] {
      let device = try await tester.token(["response_type": "device_code"], app: .mobile)
      let (code, userCode) = (device.json["device_code"]?.string ?? "", device.json["user_code"]?.string ?? "")
      let page = try await browser.get("/setup/connect")
      let question = try await tester.submit(page, browser, [("user_code", userCode)])
      lastQuestion = question
      let action = try #require(question.formAction)
      _ = try await browser.post(action, form: [("token", "x"), ("decision", decision)])
      _ = try await tester.submit(question, browser, [("decision", decision)])
      tester.server.clock.advance(by: 30)
      _ = try await tester.token(["grant_type": "device", "code": code], app: .mobile)
      // The device waits no longer.
      _ = try await tester.submit(question, browser, [("decision", decision)])
    }
    let page = try await browser.get("/setup/connect")
    _ = try await browser.post(try #require(page.formAction), form: [("token", "x"), ("user_code", "x")])
    for _ in 0..<11 { _ = try await tester.submit(page, browser, [("user_code", "BCDFGHJKLM")]) }
    _ = try await tester.submit(try #require(lastQuestion), browser, [("decision", "allow")])
  }

  /// Too many secrets, and too many devices, from one address.
  private static func floods(_ tester: SalesforceTester) async throws {
    let from = ["X-Forwarded-For": "198.51.100.77"]
    let wrong = [("token", "x"), ("client_id", SalesforceTester.App.web.key), ("client_secret", "wrong")]
    for _ in 0..<22 {
      _ = try await tester.server.client().post(
        "/services/oauth2/token", form: [("grant_type", "refresh_token")] + wrong, headers: from)
    }
    _ = try await tester.server.client().post("/services/oauth2/introspect", form: wrong, headers: from)
    for _ in 0..<22 { _ = try await tester.token(["response_type": "device_code"], app: .mobile, headers: from) }
  }
}
