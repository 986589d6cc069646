import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Salesforce door: attacks", .serialized, .timeLimit(.minutes(20)))
struct SalesforceAttackTests {
  private typealias Tester = SalesforceTester

  @Test("Bug-C17: a public app is asked for again when its code goes to a port of the user's machine, each time")
  func loopbackConsent() async throws {
    try await Tester.run({ door in
      var native = SalesforceConnectedApp(
        consumerKey: "native-app", name: "The native app", callbackURLs: ["http://127.0.0.1/callback"])
      native.acceptsAnyLoopbackPort = true
      door.apps.append(native)
    }) { tester in
      for (key, redirects, isAsked) in [
        ("native-app", ["http://127.0.0.1:1111/callback", "http://127.0.0.1:2222/callback"], true),
        (Tester.App.mobile.key, [Tester.loopbackCallback, Tester.loopbackCallback], true),
        (Tester.App.web.key, [Tester.loopbackCallback, Tester.loopbackCallback], false),
        (Tester.App.mobile.key, [Tester.mobileCallback, Tester.mobileCallback], false),
      ] {
        let browser = tester.server.client()
        func target(_ redirect: String) -> String {
          "/services/oauth2/authorize?response_type=code&client_id=\(Client.encode(key))"
            + "&redirect_uri=\(Client.encode(redirect))"
        }
        let location = try await tester.authorize(target(redirects[0]), browser: browser)
        let code = try #require(Tester.parameters(location)["code"])
        var fields = ["grant_type": "authorization_code", "code": code, "redirect_uri": redirects[0], "client_id": key]
        if key == Tester.App.web.key { fields["client_secret"] = Tester.secret }
        #expect(try await tester.token(fields).status == 200)
        let again = try await browser.get(target(redirects[1]))
        #expect(again.body.contains("id=\"consent\"") == isAsked, "\(key) \(redirects[1])")
        #expect((again.header("location") == nil) == isAsked)
        for silent in ["&prompt=none", "&immediate=true"] {
          let answer = try await browser.get(target(redirects[1]) + silent)
          #expect(answer.header("location")?.contains("error=immediate_unsuccessful") == isAsked)
        }
      }
    }
  }

  @Test("Bug-C17: an assertion gets one token, with jti and without it")
  func replay() async throws {
    try await Tester.run { tester in
      var claims: [String: JSONValue] = [
        "iss": .string(Tester.App.backend.key), "sub": "jane@example.com", "aud": .string(tester.server.origin),
        "exp": .integer(1_800_000_180),
      ]
      func ask(_ assertion: String? = nil) async throws -> Answer {
        try await tester.token([
          "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
          "assertion": try assertion ?? SalesforceSigner.shared.assertion(claims),
        ])
      }
      // Without an id an assertion is its own text; made again, its members may have another order.
      let assertion = try SalesforceSigner.shared.assertion(claims)
      #expect(try await ask(assertion).status == 200)
      for _ in 0..<3 {
        let again = try await ask(assertion)
        #expect(again.status == 400)
        #expect(again.error == "invalid_grant")
        #expect(again.errorDescription == "assertion was used before")
      }
      claims["jti"] = "one"
      #expect(try await ask().status == 200)
      // The id is what counts, also where the rest differs.
      claims["exp"] = 1_800_000_170
      #expect(try await ask().status == 400)
      claims["jti"] = "two"
      #expect(try await ask().status == 200)
      tester.server.clock.advance(by: 300)
      #expect(try await ask().errorDescription == "expired assertion")
    }
  }

  @Test("CK-15, Bug-C17: a parameter that stands twice is invalid_request, whichever it is, by form and by query")
  func repeated() async throws {
    try await Tester.run { tester in
      let client = tester.server.client()
      let good = [
        ("grant_type", "refresh_token"), ("client_id", Tester.App.web.key), ("client_secret", Tester.secret),
        ("refresh_token", "x"),
      ]
      for extra in good + [("scope", "id"), ("format", "json"), ("unknown", "x")] {
        for path in ["/services/oauth2/token", "/customers/services/oauth2/token", "/services/oauth2/introspect"] {
          let twice = [extra] + good.filter { $0.0 != extra.0 } + [extra]
          let answer = try await client.post(path, form: twice)
          #expect(answer.status == 400, "\(path) \(extra.0)")
          #expect(answer.error == "invalid_request", "\(path) \(extra.0)")
        }
      }
      for method in ["GET", "POST"] {
        let fields = "token=a&token=b"
        let answer = try await client.send(
          method, "/services/oauth2/revoke" + (method == "GET" ? "?" + fields : ""),
          headers: method == "POST" ? ["Content-Type": "application/x-www-form-urlencoded"] : [:],
          body: method == "POST" ? fields : nil)
        #expect(answer.status == 400 && answer.body.contains("invalid_request"))
      }
      let headless = try await client.post(
        "/services/oauth2/authorize",
        form: [("response_type", "code_credentials"), ("client_id", "a"), ("client_id", Tester.App.mobile.key)])
      #expect(headless.error == "invalid_request")
      for name in ["client_id", "redirect_uri", "response_type", "state", "scope"] {
        let answer = try await client.get(Tester.authorizeTarget(.web, scope: "id") + "&\(name)=x")
        #expect(answer.status == 400, "\(name)")
        #expect(answer.header("location") == nil)
      }
      #expect(try await client.get(Tester.authorizeTarget(.web, scope: "id")).status == 200)
    }
  }

  @Test("OA-01, Bug-C17: a callback is compared by its bytes")
  func callbacks() {
    var app = SalesforceConnectedApp(
      consumerKey: "k", name: "n",
      callbackURLs: ["https://app.example.com/Kallback", "myapp:/\u{E9}", "http://127.0.0.1/K"])
    app.acceptsAnyLoopbackPort = true
    #expect(app.accepts("https://app.example.com/Kallback"))
    #expect(app.accepts("http://127.0.0.1:1234/K"))
    for text in [
      "https://app.example.com/\u{212A}allback", "myapp:/e\u{301}", "https://app.example.com/kallback",
      "http://127.0.0.1:1234/\u{212A}", "http://127.0.0.1:1234/k", "http://localhost:1234/K",
    ] {
      #expect(!app.accepts(text), "\(text)")
    }
  }
}
