import Foundation
import NIOHTTP1
import HTTPTypes
import NIOCore
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Gateway door: the real ones' behaviour", .serialized, .timeLimit(.minutes(20)))
struct GatewayVariantTests {
  typealias Challenge = GatewayDoorConfiguration.Challenge
  typealias Success = GatewayDoorConfiguration.Success

  /// Every imitated style with every challenge and success.
  static let variants: [(GatewayStyle, Challenge, Success)] = GatewayStyle.allCases.flatMap { style in
    Challenge.allCases.flatMap { challenge in Success.allCases.map { (style, challenge, $0) } }
  }

  @Test("GS3: each style challenges, lets in and leads on as it is told", arguments: variants)
  func everyVariant(style: GatewayStyle, challenge: Challenge, success: Success) async throws {
    try await GatewayTester.run({
      $0.style = style
      $0.challenge = challenge
      $0.success = success
    }) { gateway in
      let names = GatewayNames(style, isSecure: false)
      let target = "/jct/echo?x=1&y=%C3%A9"
      let first = try await gateway.client.get(target, headers: GatewayTester.html)
      var page = first
      switch challenge {
      case .negotiated, .redirect:
        #expect(first.status == 302)
        let location = try #require(first.header("Location"))
        #expect(location.hasPrefix(gateway.server.origin + names.loginPage))
        page = try await gateway.client.get(location, headers: GatewayTester.html)
        #expect(page.status == 200)
      case .form: #expect(first.status == 200)
      case .unauthorizedForm: #expect(first.status == 401)
      }
      #expect(first.body.contains("\"method\"") == false)
      #expect(page.body.contains("name=\"\(names.password)\"") || page.body.contains("NAME=\"\(names.password)\""))
      #expect(try await gateway.whoAmI() == nil)

      let answer = try await gateway.submit(page)
      #expect(answer.cookie(names.session) != nil)
      #expect(try await gateway.whoAmI() == "jdoe")
      switch success {
      case .originalResource:
        #expect(answer.status == (style == .ostiary ? 303 : 302))
        let location = try #require(answer.header("Location"))
        #expect(location == gateway.server.origin + target)
        let echo = try await gateway.client.get(location)
        #expect(echo.json["user"]?.string == "jdoe")
        #expect(echo.json["query"]?.array?.last?["value"] == "é")
      case .page:
        #expect(answer.status == 200)
        #expect(answer.body.contains("id=\"success\""))
      case .inline:
        #expect(answer.status == 200)
        #expect(answer.json["user"]?.string == "jdoe")
        #expect(answer.json["method"]?.string == "GET")
        #expect(answer.json["query"]?.array?.count == 2)
      }
    }
  }

  @Test(
    "GS3: a program that fills in only what it knows is let in and led on",
    arguments: [GatewayStyle.webSEAL, .ltpa, .classic])
  func sparseClients(style: GatewayStyle) async throws {
    try await GatewayTester.run({
      $0.style = style
      $0.challenge = .form
    }) { gateway in
      let names = GatewayNames(style, isSecure: false)
      _ = try await gateway.client.get(GatewayTester.echo)
      let form = [(names.user, "jdoe"), (names.password, TestServer.janesPassword), ("login-form-type", "pwd")]
      let answer = try await gateway.client.post(
        names.loginForm + (style == .webSEAL ? "?token=Unknown" : ""), form: form)
      #expect(answer.status == 302)
      #expect(answer.header("Location") == gateway.server.origin + GatewayTester.echo)
      #expect(try await gateway.client.get(GatewayTester.echo).status == 200)
    }
  }

  @Test("GS3: a wrong password is a 200 with the form and a sentence", arguments: GatewayStyle.allCases)
  func wrongPassword(style: GatewayStyle) async throws {
    try await GatewayTester.run({ $0.style = style }) { gateway in
      let page = try await gateway.page()
      for name in ["jdoe", "nobody"] {
        let answer = try await gateway.submit(page.status == 200 ? page : gateway.page(), name, "wrong")
        // Ostiary's own form is good once; a new one comes with the refusal.
        if style != .ostiary || name == "jdoe" { #expect(answer.status == 200) }
        #expect(answer.body.contains("id=\"error\""))
        #expect(GatewayTester.Form(answer) != nil)
        #expect(try await gateway.whoAmI() == nil)
      }
      let again = try await gateway.submit(try await gateway.page(), "jdoe", "wrong")
      let right = try await gateway.submit(again)
      #expect(right.header("Location") == gateway.server.origin + GatewayTester.echo)
    }
  }

  @Test("GS3: WebSEAL's form, with its token, as IBM's customers know it")
  func webSEALForm() async throws {
    try await GatewayTester.run({ $0.style = .webSEAL }) { gateway in
      let page = try await gateway.page()
      #expect(page.body.contains("<FORM METHOD=POST ACTION=\"/pkmslogin.form?token=Unknown\">"))
      #expect(page.body.contains("NAME=\"login-form-type\" VALUE=\"pwd\""))
      let answer = try await gateway.submit(page)
      let set = answer.headers["set-cookie"]
      #expect(set.contains { $0.hasPrefix("PD-H-SESSION-ID=") })
      #expect(set.contains { $0.hasPrefix("LtpaToken2=") })
    }
  }

  @Test(
    "GS3: behind a junction the action can be relative, and leads to the same place",
    arguments: ["/jct/echo", "/jct/page"])
  func relativeAction(path: String) async throws {
    try await GatewayTester.run({
      $0.style = .webSEAL
      $0.challenge = .form
      $0.usesRelativeFormAction = true
    }) { gateway in
      let page = try await gateway.client.get(path)
      let form = try #require(GatewayTester.Form(page))
      #expect(form.action == "../pkmslogin.form?token=Unknown")
      let base = try #require(URL(string: gateway.server.origin + path))
      let resolved = try #require(URL(string: form.action, relativeTo: base)?.absoluteString)
      #expect(resolved == gateway.server.origin + "/pkmslogin.form?token=Unknown")
      let answer = try await gateway.client.post(
        resolved, form: [("username", "jdoe"), ("password", TestServer.janesPassword)])
      #expect(answer.status == 302)
    }
  }

  @Test(
    "GS3: DataPower takes its form at every path that ends in j_security_check, and nothing of it reaches the upstream",
    arguments: [GatewayStyle.ltpa, .classic])
  func formAnywhere(style: GatewayStyle) async throws {
    try await withUpstream { upstream in
      try await GatewayTester.run({
        $0.style = style
        $0.challenge = .form
        $0.junctions = [GatewayJunction(path: "/mfp", upstream: upstream.url())]
      }) { gateway in
        let form = [("j_username", "jdoe"), ("j_password", TestServer.janesPassword)]
        let path = "/mfp/api/j_security_check"
        #expect(try await gateway.client.get("/mfp/api/x").body.contains("j_security_check"))
        #expect(try await gateway.client.post(path, form: [form[0], ("j_password", "wrong")]).status == 200)
        #expect(try await gateway.whoAmI() == nil)
        #expect(try await gateway.client.send("POST", path, body: "{}").status == 415)
        #expect(
          try await gateway.client.post(path, form: form + [("x", String(repeating: "x", count: 20_000))]).status == 413
        )
        #expect(upstream.requests.isEmpty)
        let answer = try await gateway.client.post(path, form: form)
        #expect(answer.status == 302)
        #expect(answer.header("Location") == gateway.server.origin + "/mfp/api/x")
        #expect(try await gateway.client.get("/mfp/api/x").body == "upstream")
        // Only the whole name, and only what is posted.
        #expect(try await gateway.client.get(path).body == "upstream")
        #expect(try await gateway.client.post("/mfp/api/my_j_security_check", form: form).body == "upstream")
        #expect(upstream.requests.map(\.text).filter { !$0.isEmpty }.count == 1)
      }
    }
  }

  @Test("GS3: secret-token validation: a missing, made-up, used or foreign token is a 400 that verifies nothing")
  func secretToken() async throws {
    try await GatewayTester.run({
      $0.style = .webSEAL
      $0.challenge = .form
      $0.validatesSecretToken = true
    }) { gateway in
      let form = [("username", "jdoe"), ("password", TestServer.janesPassword)]
      let page = try await gateway.client.get(GatewayTester.echo)
      let action = try #require(GatewayTester.Form(page)?.action)
      #expect(!action.contains("Unknown"))
      let foreign = try #require(
        GatewayTester.Form(try await gateway.another().client.get(GatewayTester.echo))?.action)
      for wrong in [
        "/pkmslogin.form", "/pkmslogin.form?token=Unknown", "/pkmslogin.form?token=", action + "x", foreign,
      ] {
        #expect(try await gateway.client.post(wrong, form: form).status == 400, "\(wrong)")
        #expect(try await gateway.whoAmI() == nil)
      }
      #expect(!gateway.server.logs.text.contains("authentication accepted"))
      #expect(try await gateway.client.post(action, form: form).status == 302)
      #expect(try await gateway.client.post(action, form: form).status == 400)
      // Also for signing out.
      #expect(try await gateway.client.get("/pkmslogout").status == 400)
      #expect(try await gateway.whoAmI() == "jdoe")
    }
  }

  @Test("GS3: local response redirects: login, error, lock-out, OLDSESSION, success and logout travel as TAM_OP")
  func localResponses() async throws {
    try await GatewayTester.run(
      {
        $0.style = .webSEAL
        $0.challenge = .redirect
        $0.redirectsLocalResponses = true
      }, server: { $0.loginLimits.freeFailures = 2 }
    ) { gateway in
      let first = try await gateway.client.get("/jct/echo?a=b", headers: ["Referer": "http://x/"])
      #expect(
        first.header("Location") == gateway.server.origin
          + "/login/?TAM_OP=login&USERNAME=unauthenticated&ERROR_CODE=0x00000000&URL=%2Fjct%2Fecho%3Fa%3Db"
          + "&REFERER=http%3A%2F%2Fx%2F&OLDSESSION=")
      let page = try await gateway.client.get(try #require(first.header("Location")))
      #expect(GatewayTester.Form(page)?["target"] != nil)
      let wrong = try await gateway.submit(page, "jdoe", "wrong")
      #expect(wrong.status == 302)
      #expect(wrong.header("Location")?.contains("TAM_OP=error&") == true)
      #expect(wrong.header("Location")?.contains("ERROR_CODE=0x132120c8") == true)
      let second = try await gateway.client.get(try #require(wrong.header("Location")))
      #expect(second.body.contains("id=\"error\""))
      try await gateway.submit(second, "jdoe", "wrong")
      let locked = try await gateway.submit(second)
      #expect(locked.header("Location")?.contains("TAM_OP=acct_locked&") == true)
      let told = try await gateway.client.get(try #require(locked.header("Location")))
      #expect(told.body.contains("locked"))
      gateway.server.clock.advance(by: 3600)
      let right = try await gateway.submit(try await gateway.client.get(try #require(first.header("Location"))))
      #expect(right.header("Location") == gateway.server.origin + "/jct/echo?a=b")
      let old = try #require(await gateway.client.cookies["PD-H-SESSION-ID"])
      let out = try await gateway.client.get("/pkmslogout")
      #expect(out.header("Location")?.contains("TAM_OP=logout&") == true)
      await gateway.client.setCookie("PD-H-SESSION-ID", old)
      let stale = try await gateway.client.get("/jct/echo")
      #expect(stale.header("Location")?.hasSuffix("&OLDSESSION=1") == true)
    }
  }

  @Test(
    "GS3: the account is locked early or late, with a page that is a 200; who is signed in stays so",
    arguments: [GatewayDoorConfiguration.Lockout.early, .late], [GatewayStyle.webSEAL, .ltpa])
  func lockout(when: GatewayDoorConfiguration.Lockout, style: GatewayStyle) async throws {
    try await GatewayTester.run(
      {
        $0.style = style
        $0.lockout = when
      }, server: { $0.loginLimits.freeFailures = 3 }
    ) { gateway in
      let signedIn = gateway.another()
      try await signedIn.signIn()
      for name in ["jdoe", "nobody"] {
        var page = try await gateway.page()
        for attempt in 1...4 {
          let answer = try await gateway.submit(page, name, "wrong")
          let isLocked = answer.body.contains("data-code=\"locked\"")
          #expect(answer.status == 200)
          #expect(isLocked == (attempt >= (when == .early ? 3 : 4)), "\(name) \(attempt)")
          if !isLocked { page = answer }
        }
        let right = try await gateway.submit(page, name)
        #expect(right.body.contains("data-code=\"locked\""))
      }
      #expect(try await signedIn.whoAmI() == "jdoe")
      gateway.server.clock.advance(by: 3600)
      try await gateway.signIn()
      #expect(try await gateway.whoAmI() == "jdoe")
    }
  }

  @Test("LO-02: Ostiary's own style answers 429 with Retry-After while an account waits")
  func ownWait() async throws {
    try await GatewayTester.run(server: { $0.loginLimits.freeFailures = 1 }) { gateway in
      let page = try await gateway.submit(try await gateway.page(), "jdoe", "wrong")
      let answer = try await gateway.submit(page)
      #expect(answer.status == 429)
      #expect(answer.header("Retry-After") == "30")
      #expect(try await gateway.whoAmI() == nil)
    }
  }

  @Test(
    "GS3: a session that is over is challenged, with its cookies deleted or not",
    arguments: GatewayStyle.allCases, [true, false])
  func staleSession(style: GatewayStyle, deletes: Bool) async throws {
    try await GatewayTester.run({
      $0.style = style
      $0.challenge = .redirect
      $0.deletesStaleCookies = deletes
      $0.sessionLimits.idle = .seconds(600)
    }) { gateway in
      try await gateway.signIn()
      #expect(try await gateway.client.get(GatewayTester.echo).status == 200)
      gateway.server.clock.advance(by: 601)
      let answer = try await gateway.client.get(GatewayTester.echo)
      #expect(answer.status == 302)
      let names = GatewayNames(style, isSecure: false)
      let deleted = answer.headers["set-cookie"].filter { $0.contains("Max-Age=0") }.map { $0.prefix { $0 != "=" } }
      #expect(Set(deleted.map(String.init)) == (deletes ? Set([names.session] + names.companions) : []))
      try await gateway.signIn()
      #expect(try await gateway.whoAmI() == "jdoe")
    }
  }

  @Test(
    "GS3: signing out ends the session and takes its cookies back", arguments: [GatewayStyle.webSEAL, .ltpa, .classic])
  func vendorLogout(style: GatewayStyle) async throws {
    try await GatewayTester.run({ $0.style = style }) { gateway in
      try await gateway.signIn()
      let names = GatewayNames(style, isSecure: false)
      let proof = try #require(await gateway.client.cookies[names.session])
      let answer = try await gateway.client.get(names.logout)
      #expect(answer.status == 200)
      #expect(answer.header("Clear-Site-Data") == "\"cache\"")
      for name in [names.session] + names.companions {
        #expect(answer.headers["set-cookie"].contains { $0.hasPrefix("\(name)=;") && $0.contains("Max-Age=0") })
      }
      await gateway.client.setCookie(names.session, proof)
      #expect(try await gateway.whoAmI() == nil)
    }
  }

  @Test("What is no form, or another site's, is refused and verifies nothing", arguments: GatewayStyle.allCases)
  func forged(style: GatewayStyle) async throws {
    try await GatewayTester.run({ $0.style = style }) { gateway in
      let names = GatewayNames(style, isSecure: false)
      let text = try await gateway.client.send(
        "POST", names.loginForm, headers: ["Content-Type": "text/plain"], body: "a=b")
      #expect(text.status == 415)
      for headers in [
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "https://evil.example"],
        ["Origin": "garbage"],
      ] {
        let page = try await gateway.page()
        let answer = try await gateway.submit(page, headers: headers)
        #expect(answer.status == 403, "\(headers)")
        #expect(try await gateway.whoAmI() == nil)
      }
      #expect(!gateway.server.logs.text.contains("authentication accepted"))
      let own = try await gateway.submit(try await gateway.page(), headers: ["Origin": gateway.server.origin])
      #expect(own.status < 400)
    }
  }

  @Test("The door's own pages and JSON: home, session, download, slow")
  func resources() async throws {
    try await GatewayTester.run { gateway in
      #expect(try await gateway.client.get("/gateway").body.contains("not signed in"))
      try await gateway.signIn()
      #expect(try await gateway.client.get("/gateway").body.contains("Jané Doe"))
      let download = try await gateway.client.get("/jct/download?size=200000")
      #expect(download.header("Content-Length") == "200000")
      #expect(download.header("Content-Disposition")?.hasPrefix("attachment") == true)
      let head = try await gateway.client.send("HEAD", "/jct/download?size=200000")
      #expect(head.header("Content-Length") == "200000")
      #expect(head.body.isEmpty)
      #expect(try await gateway.client.get("/jct/slow?milliseconds=1").json["waited"] == 1)
      #expect(try await gateway.client.get("/jct/page").body.contains("id=\"user\">Jané Doe<"))
      let post = try await gateway.client.post(GatewayTester.echo, form: [("a", "b")])
      #expect(post.json["number"] == 1)
      #expect(post.json["body"]?.string == "a=b")
      #expect(try await gateway.client.post(GatewayTester.echo, form: []).json["number"] == 2)
    }
  }
}
