import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Salesforce door: browsers", .timeLimit(.minutes(20)))
struct SalesforceAuthorizeTests {
  private typealias Tester = SalesforceTester

  @Test("OS1: a code is good once; the second time ends the tokens of the first")
  func codeOnce() async throws {
    try await Tester.run { tester in
      let code = try await tester.code()
      let first = try await tester.redeem(code)
      #expect(first.status == 200, "\(first.body)")
      let access = try #require(first.json["access_token"]?.string)
      #expect(try await tester.call("/services/data/v59.0/limits", access).status == 200)
      let second = try await tester.redeem(code)
      #expect(second.status == 400 && second.error == "invalid_grant")
      #expect(try await tester.call("/services/data/v59.0/limits", access).status == 401)
      #expect(try await tester.refresh(first.json["refresh_token"]?.string).error == "invalid_grant")
    }
  }

  @Test(
    "OS2: a redirect is compared byte for byte, and nobody is sent elsewhere",
    arguments: [
      "https://app.example.com/callback", "https://app.example.com/callback?tab=1&x=2",
      "https://app.example.com/Callback?tab=1", "https://app.example.com:443/callback?tab=1",
      "https://app.example.com/callback?tab=1#f", "https://user@app.example.com/callback?tab=1",
      "https://app.example.com/x/../callback?tab=1", "http://localhost:1718/OauthRedirect",
      "http://127.0.0.1:1717/OauthRedirect", "http://localhost:1717/OauthRedirect/", "sfdc:///axm/detect/oauth/DONE",
      "javascript:alert(1)",
    ])
  func redirects(uri: String) async throws {
    try await Tester.run { tester in
      let answer = try await tester.server.client().get(Tester.authorizeTarget(.web, redirect: uri))
      #expect(answer.status == 400)
      #expect(answer.header("location") == nil)
      #expect(answer.body.contains("redirect_uri_mismatch"))
    }
  }

  @Test("OS2: loopback addresses and schemes of an app's own are taken as they are registered")
  func ownSchemes() async throws {
    try await Tester.run { tester in
      for uri in [Tester.loopbackCallback, Tester.mobileCallback] {
        let target = Tester.authorizeTarget(.mobile, redirect: uri)
        let location = try await tester.authorize(target)
        #expect(location.hasPrefix(uri + "?code="))
        let parameters = Tester.parameters(location)
        #expect(parameters["state"] == "s+1&2")
        let code = try #require(parameters["code"])
        #expect(code.hasPrefix("aPrx") && code.hasSuffix("=="))
        #expect(location.contains("%3D%3D"))
        #expect(try await tester.redeem(code, .mobile, redirect: Tester.webCallback).error == "redirect_uri_mismatch")
        #expect(try await tester.redeem(code, .mobile, redirect: uri).status == 200)
      }
    }
  }

  @Test("RFC 8252 §7.3: the server's own app may be called back on any port of this machine")
  func anyPort() async throws {
    try await Tester.run({ $0.apps = [] }) { tester in
      let key = try #require(try tester.door.consumerKey)
      func answer(_ uri: String) async throws -> Int {
        let target =
          "/services/oauth2/authorize?response_type=code&client_id=\(key)&code_challenge="
          + Tester.challenge("v") + "&redirect_uri=" + Client.encode(uri)
        return try await tester.server.client().get(target).status
      }
      #expect(try await answer("http://127.0.0.1:50123/callback") == 200)
      for uri in [
        "http://127.0.0.1:50123/other", "http://127.0.0.2:50123/callback", "http://127.0.0.1.example.com/callback",
        "http://user@127.0.0.1:1/callback", "https://127.0.0.1:50123/callback", "http://127.0.0.1:50123/callback?x=1",
      ] { #expect(try await answer(uri) == 400, "\(uri)") }
    }
  }

  @Test("OS3: a verifier is demanded and compared, whatever its length; no method means S256")
  func pkce() async throws {
    try await Tester.run { tester in
      let rfc = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
      #expect(Tester.challenge(rfc) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
      let long = RandomBytes.make(128).base64URL
      #expect(long.count == 171)
      for (verifier, method) in [(rfc, "S256"), (long, nil as String?), (rfc, nil)] {
        var extra = [("code_challenge", Tester.challenge(verifier))]
        if let method { extra.append(("code_challenge_method", method)) }
        let code = try await tester.code(extra: extra)
        let missing = try await tester.redeem(code)
        #expect(missing.error == "invalid_grant" && missing.status == 400)
        #expect(try await tester.redeem(code, verifier: verifier + "x").error == "invalid_request")
        let right = try await tester.redeem(code, verifier: verifier)
        #expect(right.status == 200, "\(right.body)")
      }
    }
  }

  @Test("OS3: plain challenges are refused; an app may have to send one")
  func pkceRequired() async throws {
    try await Tester.run({ $0.apps[0].requiresCodeChallenge = true }) { tester in
      let client = tester.server.client()
      let without = try await client.get(Tester.authorizeTarget(.web))
      #expect(Tester.parameters(without.header("location") ?? "")["error"] == "invalid_request")
      let plain = try await client.get(
        Tester.authorizeTarget(
          .web, extra: [("code_challenge", Tester.challenge("v")), ("code_challenge_method", "plain")]))
      #expect(Tester.parameters(plain.header("location") ?? "")["error"] == "invalid_request")
    }
  }

  @Test("Somebody who says no sends the browser back with access_denied")
  func denied() async throws {
    try await Tester.run { tester in
      let location = try await tester.authorize(Tester.authorizeTarget(.web), decision: "deny")
      #expect(location.hasPrefix(Tester.webCallback + "&error=access_denied"))
      #expect(Tester.parameters(location)["state"] == "s+1&2")
      #expect(Tester.parameters(location)["error_description"] == "end-user denied authorization")
    }
  }

  @Test("Whoever has let an app in is not asked again, unless the app wants more or says so")
  func approved() async throws {
    try await Tester.run { tester in
      let browser = tester.server.client()
      func consents(_ target: String) async throws -> Bool {
        try await browser.get(target).body.contains("id=\"consent\"")
      }
      let target = Tester.authorizeTarget(.web, scope: "id api")
      let location = try await tester.authorize(target, browser: browser)
      #expect(try await consents(target), "A code that nobody has redeemed lets nobody in")
      _ = try await tester.redeem(try #require(Tester.parameters(location)["code"]))
      #expect(try await !consents(target))
      #expect(try await consents(Tester.authorizeTarget(.web, scope: "id api refresh_token")))
      #expect(try await consents(target + "&prompt=consent"))
      #expect(try await browser.get(target + "&prompt=login").body.contains("id=\"login\""))
      // An administrator has decided for all users.
      #expect(try await browser.get(Tester.authorizeTarget(.backend)).status == 302)
    }
  }

  @Test("Nobody is asked anything where the app says so")
  func silent() async throws {
    try await Tester.run { tester in
      for extra in [("prompt", "none"), ("immediate", "true")] {
        let answer = try await tester.server.client().get(Tester.authorizeTarget(.web, extra: [extra]))
        #expect(answer.status == 302)
        #expect(Tester.parameters(answer.header("location") ?? "")["error"] == "immediate_unsuccessful")
      }
    }
  }

  @Test("What an app asks wrongly it is told, where it can be")
  func wrongRequests() async throws {
    try await Tester.run { tester in
      let client = tester.server.client()
      func error(_ extra: [(String, String)]) async throws -> String? {
        let answer = try await client.get(Tester.authorizeTarget(.web, extra: extra))
        return answer.header("location").flatMap { Tester.parameters($0)["error"] }
      }
      #expect(try await error([("response_type", "code id_token")]) == "unsupported_response_type")
      #expect(try await error([("scope", "full")]) == "invalid_scope")
      #expect(try await error([("scope", "nonsense")]) == "invalid_scope")
      // The user-agent flow is off unless it is switched on.
      let token = try await client.get(Tester.authorizeTarget(.web, extra: [("response_type", "token")]))
      #expect(token.header("location")?.contains("#error=unsupported_response_type") == true)
      let unknown = try await client.get(Tester.authorizeTarget(.web, extra: [("client_id", "nobody")]))
      #expect(unknown.status == 400 && unknown.body.contains("invalid_client_id"))
    }
  }

  @Test("The user-agent flow puts tokens into the fragment, a refresh token for an app's own scheme alone")
  func userAgent() async throws {
    try await Tester.run({ $0.insecureFlows = [.userAgent] }) { tester in
      for (uri, hasRefreshToken) in [(Tester.webCallback, false), (Tester.mobileCallback, true)] {
        let target = Tester.authorizeTarget(.mobile, redirect: uri, extra: [("response_type", "token")])
        let location = try await tester.authorize(target)
        #expect(location.hasPrefix(uri + "#"))
        let parameters = Tester.parameters(location)
        #expect((parameters["refresh_token"] != nil) == hasRefreshToken)
        for name in ["access_token", "instance_url", "id", "issued_at", "signature", "scope", "state"] {
          #expect(parameters[name] != nil, "\(name)")
        }
        #expect(parameters["token_type"] == "Bearer")
        #expect(try await tester.call("/services/data/v59.0/limits", parameters["access_token"]).status == 200)
        let denied = try await tester.authorize(target + "&prompt=consent", decision: "deny")
        #expect(denied.hasPrefix(uri + "#error=access_denied"))
      }
    }
  }

  @Test("A wrong password shows the form again; nothing tells whether the user exists")
  func wrongPassword() async throws {
    try await Tester.run { tester in
      var pages: [String] = []
      for name in ["jane@example.com", "nobody@example.com"] {
        let browser = tester.server.client()
        let page = try await browser.get(Tester.authorizeTarget(.web))
        let again = try await tester.submit(page, browser, [("username", name), ("password", "wrong")])
        #expect(again.status == 200)
        let token = try #require(again.formToken)
        pages.append(again.body.replacing(token, with: "").replacing(name, with: ""))
      }
      #expect(pages[0].contains("data-code=\"refused\""))
      #expect(pages[0] == pages[1])
    }
  }

  @Test("A form that another site made, or another browser was shown, does nothing")
  func forgery() async throws {
    try await Tester.run { tester in
      let target = Tester.authorizeTarget(.web)
      let browser = tester.server.client()
      let login = try await browser.get(target)
      let action = try #require(login.formAction)
      let token = try #require(login.formToken)
      let fields = [("username", "jane@example.com"), ("password", Tester.password)]
      // Login CSRF: the form of one browser in another, without a token, and from another site.
      let stranger = tester.server.client()
      _ = try await stranger.get(target)
      #expect(try await stranger.post(action, form: [("token", token)] + fields).status == 403)
      #expect(try await browser.post(action, form: fields).status == 403)
      let crossSite = try await browser.post(
        action, form: [("token", token)] + fields, headers: ["Sec-Fetch-Site": "cross-site"])
      #expect(crossSite.status == 403)
      // The right one works.
      #expect(try await browser.post(action, form: [("token", token)] + fields).status == 303)
      let consent = try await browser.get(target)
      let consentAction = try #require(consent.formAction)
      let consentToken = try #require(consent.formToken)
      // The page's token is for what it showed, not for an app that wants more.
      let wider = consentAction.replacing("state=", with: "scope=id&state=")
      let other = try await browser.post(wider, form: [("token", consentToken), ("decision", "allow")])
      #expect(other.status == 303 && other.header("location")?.contains("code=") == false)
      let without = try await browser.post(consentAction, form: [("decision", "allow")])
      #expect(without.header("location")?.hasPrefix("/services/oauth2/authorize") == true)
      let allowed = try await browser.post(consentAction, form: [("token", consentToken), ("decision", "allow")])
      #expect(allowed.status == 303 && allowed.header("location")?.hasPrefix(Tester.webCallback) == true)
    }
  }

  @Test("OA-13: pages can't be framed, and their forms lead to this server and the app alone")
  func policy() async throws {
    try await Tester.run { tester in
      for (uri, source) in [
        (Tester.webCallback, "https://app.example.com"), (Tester.loopbackCallback, "http://localhost:1717"),
        (Tester.mobileCallback, "sfdc:"),
      ] {
        let page = try await tester.server.client().get(Tester.authorizeTarget(.mobile, redirect: uri))
        let policy = try #require(page.header("content-security-policy"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("form-action 'self' \(source);"))
        #expect(!page.body.contains("<script"))
      }
    }
  }

  @Test("What an app sends can't become markup")
  func markup() async throws {
    try await Tester.run { tester in
      let evil = "\"><script>alert(1)</script>"
      let page = try await tester.server.client().get(
        Tester.authorizeTarget(.web, extra: [("login_hint", evil), ("state", evil)]))
      #expect(page.status == 200 && !page.body.contains("<script"))
    }
  }

  @Test("OS15: below a community's path the answers name the community")
  func community() async throws {
    try await Tester.run { tester in
      let location = try await tester.authorize(Tester.authorizeTarget(.web, at: "/customers"))
      let parameters = Tester.parameters(location)
      #expect(parameters["sfdc_community_url"] == tester.server.origin + "/customers")
      let answer = try await tester.redeem(try #require(parameters["code"]), at: "/customers")
      #expect(answer.json["sfdc_community_url"]?.string == tester.server.origin + "/customers")
      #expect(answer.json["sfdc_community_id"]?.string?.hasPrefix("0DB") == true)
      let refreshed = try await tester.refresh(answer.json["refresh_token"]?.string)
      #expect(refreshed.json["sfdc_community_id"] == answer.json["sfdc_community_id"])
      #expect(try await tester.signIn()["sfdc_community_url"] == nil)
    }
  }
}
