import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Salesforce door: passwords and assertions", .timeLimit(.minutes(20)))
struct SalesforcePasswordTests {
  private typealias Tester = SalesforceTester

  @Test("OS11: from a trusted address the password is enough, from any other the security token follows it")
  func securityToken() async throws {
    for isTrusted in [true, false] {
      try await Tester.run({ door in
        door.insecureFlows = [.usernamePassword]
        if !isTrusted { door.trustedAddresses = ["192.0.2.1"] }
      }) { tester in
        let user = try #require(try await tester.server.identity.user(named: "jane@example.com"))
        let other = try #require(try await tester.server.identity.user(named: "bob@example.com"))
        let token = try tester.door.securityToken(of: user).reveal()
        let others = try tester.door.securityToken(of: other).reveal()
        #expect(token.utf8.count == 24 && token != others)
        func ask(_ password: String, name: String = "jane@example.com") async throws -> Answer {
          try await tester.token(["grant_type": "password", "username": name, "password": password], app: .web)
        }
        let plain = try await ask(Tester.password)
        #expect(plain.status == (isTrusted ? 200 : 400))
        let full = try await ask(Tester.password + token)
        #expect(full.status == 200, "\(full.body)")
        #expect(full.json["refresh_token"] == nil && full.json["signature"] != nil)
        #expect(full.json["scope"] == "id api")
        let access = full.json["access_token"]?.string
        #expect(try await tester.call("/services/data/v59.0/limits", access).status == 200)
        for (name, password) in [
          ("jane@example.com", "wrong" + token), ("nobody@example.com", Tester.password),
          ("bob@example.com", Tester.password + token), ("jane@example.com", token),
        ] {
          let answer = try await ask(password, name: name)
          #expect(answer.status == 400 && answer.error == "invalid_grant")
          #expect(answer.errorDescription == "authentication failure")
        }
        // A new password has another token.
        try await tester.server.identity.setPassword("another fine password", forUserNamed: "jane@example.com")
        #expect(try await ask("another fine password" + token).status == 400)
      }
    }
  }

  @Test("OS11: without the token nobody learns at an address that isn't trusted whether a password is right")
  func noOracle() async throws {
    try await Tester.run({ door in
      door.insecureFlows = [.usernamePassword]
      door.trustedAddresses = []
    }) { tester in
      func statuses(_ password: String, _ name: String) async throws -> [Int] {
        var all: [Int] = []
        for _ in 0..<12 {
          let fields = ["grant_type": "password", "username": name, "password": password]
          all.append(try await tester.token(fields, app: .web).status)
        }
        return all
      }
      // A right password would start the count anew.
      let wrong = try await statuses("wrong", "bob@example.com")
      tester.server.clock.advance(by: 3600)
      #expect(try await statuses(Tester.password, "jane@example.com") == wrong)
      #expect(wrong.last == 429)
    }
  }

  @Test("A5: an app with a page of its own gets a code for a name and a password")
  func headless() async throws {
    try await Tester.run { tester in
      let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
      func ask(
        _ app: Tester.App = .mobile, password: String = Tester.password, at path: String = "/customers",
        type: String = "Named-User", extra: [(String, String)] = []
      ) async throws -> Answer {
        let pair = Array("jane@example.com:\(password)".utf8).base64URL
        return try await tester.server.client().post(
          path + "/services/oauth2/authorize",
          form: [
            ("response_type", "code_credentials"), ("client_id", app.key), ("redirect_uri", Tester.mobileCallback),
            ("code_challenge", Tester.challenge(verifier)),
          ] + extra, headers: ["Auth-Request-Type": type, "Authorization": "Basic " + pair])
      }
      let answer = try await ask()
      #expect(answer.status == 200, "\(answer.body)")
      #expect(answer.json["sfdc_community_url"]?.string == tester.server.origin + "/customers")
      #expect(answer.json["sfdc_community_id"]?.string?.hasPrefix("0DB") == true)
      let code = try #require(answer.json["code"]?.string)
      let tokens = try await tester.redeem(
        code, .mobile, redirect: Tester.mobileCallback, verifier: verifier, at: "/customers")
      #expect(tokens.status == 200, "\(tokens.body)")
      #expect(tokens.json["refresh_token"] != nil && tokens.json["sfdc_community_id"] != nil)
      #expect(try await ask(at: "").json["sfdc_community_url"]?.string == tester.server.origin)
      let wrong = try await ask(password: "wrong")
      #expect(wrong.status == 400 && wrong.errorDescription == "authentication failure")
      #expect(try await ask(.web).error == "unsupported_response_type")
      #expect(try await ask(type: "user-registration").error == "invalid_request")
      #expect(try await ask(extra: [("scope", "full")]).error == "invalid_scope")
    }
  }

  private static func claims(_ tester: SalesforceTester, _ changes: [String: JSONValue?] = [:]) -> [String: JSONValue] {
    var claims: [String: JSONValue] = [
      "iss": .string(SalesforceTester.App.backend.key), "sub": "jane@example.com",
      "aud": .string(tester.server.origin), "exp": .integer(1_800_000_180),
    ]
    for (name, value) in changes { claims[name] = value }
    return claims
  }

  private static func ask(_ tester: SalesforceTester, _ assertion: String) async throws -> Answer {
    try await tester.token(["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion])
  }

  @Test("OAuth-O20: a signed assertion gets an access token, without refresh token, time or signature")
  func assertion() async throws {
    try await Tester.run { tester in
      for changes: [String: JSONValue?] in [
        [:], ["aud": "https://login.salesforce.com"], ["aud": "https://test.salesforce.com"],
        ["aud": .array(["x", .string(tester.server.origin + "/services/oauth2/token")])], ["exp": "1800000180"],
      ] {
        let text = try SalesforceSigner.shared.assertion(Self.claims(tester, changes))
        let answer = try await Self.ask(tester, text)
        #expect(answer.status == 200, "\(changes) \(answer.body)")
        #expect(Set(answer.json.keys) == ["access_token", "scope", "instance_url", "id", "token_type"])
        #expect(
          try await tester.call("/services/data/v59.0/limits", answer.json["access_token"]?.string).status == 200)
      }
    }
  }

  @Test("OS12: an assertion that isn't the app's, isn't for here, is over, or is for nobody gets nothing")
  func assertionFailures() async throws {
    try await Tester.run { tester in
      func description(_ changes: [String: JSONValue?]) async throws -> String? {
        let text = try SalesforceSigner.shared.assertion(Self.claims(tester, changes))
        let answer = try await Self.ask(tester, text)
        #expect(answer.status == 400)
        return answer.errorDescription
      }
      #expect(try await description(["aud": "https://other.example.com"]) == "Audience validation failed")
      #expect(try await description(["exp": 1_799_999_900]) == "expired assertion")
      #expect(try await description(["exp": 1_800_003_600]) == "expired assertion")
      #expect(try await description(["iss": "nobody"]) == "client identifier invalid")
      #expect(try await description(["sub": "nobody@example.com"]) == "user hasn't approved this consumer")
      for name in ["aud", "exp", "iss", "sub"] {
        #expect(try await description([name: nil]) == "invalid assertion", "\(name)")
      }
      // Another app's, which has no certificate.
      #expect(try await description(["iss": .string(Tester.App.web.key)]) == "invalid assertion")
      let good = try SalesforceSigner.shared.assertion(Self.claims(tester))
      let parts = good.split(separator: ".").map(String.init)
      let none = [UInt8](Data("{\"alg\":\"none\"}".utf8)).base64URL
      let forged = [
        try SalesforceSigner.other.assertion(Self.claims(tester)),
        try SalesforceSigner.shared.assertion(Self.claims(tester), header: ["alg": "HS256"]),
        try SalesforceSigner.shared.assertion(Self.claims(tester), header: ["alg": "RS256", "crit": .array(["b64"])]),
        "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1])",
        "\(parts[0]).\(parts[1]).\(parts[2].dropLast(4))AAAA", "", "...", good + ".x",
        String(repeating: "a", count: 9000),
      ]
      for text in forged {
        let answer = try await Self.ask(tester, text)
        #expect(answer.status == 400, "\(text.prefix(40))")
        #expect(["invalid_grant", "invalid_request"].contains(answer.error))
      }
      try await tester.server.identity.disableUser(named: "jane@example.com")
      #expect(try await Self.ask(tester, good).error == "inactive_user")
    }
  }

  @Test("OS12: an app that people let in themselves gets nothing for who has not")
  func approval() async throws {
    try await Tester.run({ $0.apps[3].permittedUsers = .selfAuthorized }) { tester in
      let text = try SalesforceSigner.shared.assertion(Self.claims(tester))
      #expect(try await Self.ask(tester, text).errorDescription == "user hasn't approved this consumer")
      _ = try await tester.signIn(.backend)
      #expect(try await Self.ask(tester, text).status == 200)
    }
  }

  @Test("OAuth-O19: a device waits, is told to slow down, and is let in or kept out")
  func device() async throws {
    try await Tester.run { tester in
      for decision in ["allow", "deny", "nothing"] {
        let device = try await tester.token(
          ["response_type": "device_code", "scope": "id refresh_token api"], app: .mobile)
        #expect(device.status == 200, "\(device.body)")
        #expect(device.json["interval"] == 5)
        let code = try #require(device.json["device_code"]?.string)
        let userCode = try #require(device.json["user_code"]?.string)
        let address = try #require(device.json["verification_uri"]?.string)
        #expect(address == tester.server.origin + "/setup/connect")
        func poll() async throws -> Answer {
          try await tester.token(["grant_type": "device", "code": code], app: .mobile)
        }
        #expect(try await poll().error == "authorization_pending")
        #expect(try await poll().error == "slow_down")
        if decision == "nothing" {
          tester.server.clock.advance(by: 601)
          #expect(try await poll().error == "invalid_grant")
          continue
        }
        let browser = tester.server.client()
        let login = try await browser.get(address)
        let signedIn = try await tester.submit(
          login, browser, [("username", "jane@example.com"), ("password", Tester.password)])
        let page = try await browser.get(try #require(signedIn.header("location")))
        let unknown = try await tester.submit(page, browser, [("user_code", "BCDFGHJK")])
        #expect(unknown.body.contains("data-code=\"unknown-code\""))
        let question = try await tester.submit(page, browser, [("user_code", userCode.lowercased())])
        #expect(question.body.contains("The mobile app") && question.body.contains("data-scope=\"api\""))
        #expect(question.body.contains("href=\"/setup/connect?prompt=login\""))
        #expect(try await browser.get("/setup/connect?prompt=login").body.contains("id=\"login\""))
        let done = try await tester.submit(question, browser, [("decision", decision)])
        #expect(done.status == 200, "\(done.body)")
        let again = try await tester.submit(question, browser, [("decision", decision)])
        #expect(again.status == 200 && !again.body.contains("data-code=\"unknown-code\""), "\(again.body)")
        tester.server.clock.advance(by: 30)
        let answer = try await poll()
        if decision == "allow" {
          #expect(answer.status == 200, "\(answer.body)")
          #expect(answer.json["refresh_token"] != nil)
          #expect(
            try await tester.call("/services/data/v59.0/limits", answer.json["access_token"]?.string).status == 200)
          #expect(try await poll().error == "invalid_grant")
        } else {
          #expect(answer.error == "access_denied")
        }
      }
    }
  }

  @Test("RFC 8628 §5.1: codes of devices can't be found by trying")
  func deviceCodes() async throws {
    try await Tester.run { tester in
      let browser = tester.server.client()
      let login = try await browser.get("/setup/connect")
      _ = try await tester.submit(login, browser, [("username", "jane@example.com"), ("password", Tester.password)])
      let page = try await browser.get("/setup/connect")
      var statuses: [Int] = []
      for _ in 0..<11 {
        statuses.append(try await tester.submit(page, browser, [("user_code", "BCDFGHJKLM")]).status)
      }
      #expect(statuses == Array(repeating: 200, count: 10) + [429])
      tester.server.clock.advance(by: 600)
      #expect(try await tester.submit(page, browser, [("user_code", "BCDFGHJKLM")]).status == 200)
    }
  }
}
