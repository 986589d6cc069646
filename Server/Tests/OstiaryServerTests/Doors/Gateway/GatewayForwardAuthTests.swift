import Foundation
import HTTPTypes
import NIOHTTP1
import NIOCore
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Gateway door: forward authentication", .serialized, .timeLimit(.minutes(20)))
struct GatewayForwardAuthTests {
  private func challenge(
    _ answer: Answer, _ reason: String, login: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(answer.status == 401, sourceLocation: sourceLocation)
    #expect(answer.header("WWW-Authenticate") == "Ostiary-Gateway realm=\"Ostiary\"", sourceLocation: sourceLocation)
    #expect(answer.header("Content-Type") == "application/vnd.ostiary.challenge+json", sourceLocation: sourceLocation)
    #expect(
      answer.json == [
        "challenge": "login-form", "gateway": "Ostiary", "login": .string(login), "reason": .string(reason),
      ],
      sourceLocation: sourceLocation)
  }

  @Test("A session is a 202 with who it is; without one a program gets the typed challenge, and the reason")
  func program() async throws {
    try await GatewayTester.run { gateway in
      let login = gateway.server.origin + "/gateway/login"
      challenge(try await gateway.client.get("/gateway/auth"), "no-session", login: login)
      challenge(
        try await gateway.client.get(GatewayTester.echo, headers: GatewayTester.json), "no-session", login: login)
      try await gateway.signIn()
      let answer = try await gateway.client.get("/gateway/auth")
      #expect(answer.status == 202)
      #expect(answer.header("Remote-User") == "jdoe")
      #expect(answer.header("Remote-Name") == "Jané Doe")
      #expect(answer.header("Remote-Email") == "jane@example.org")
      #expect(try await gateway.client.get("/gateway/auth/nginx").status == 202)
      #expect(try await gateway.client.get("/gateway/auth/envoy/any/path?x").status == 200)
      #expect(try await gateway.client.send("DELETE", "/gateway/auth/envoy/any").status == 200)
      gateway.server.clock.advance(by: 40 * 24 * 3600)
      let proof = try #require(await gateway.client.cookies["ostiary-gateway"])
      let expired = try await gateway.client.get("/gateway/auth")
      challenge(expired, "session-expired", login: login)
      #expect(expired.headers["set-cookie"].contains { $0.hasPrefix("ostiary-gateway=;") && $0.contains("Max-Age=0") })
      challenge(try await gateway.client.get("/gateway/auth"), "no-session", login: login)
      await gateway.client.setCookie("ostiary-gateway", proof)
      challenge(try await gateway.client.get(GatewayTester.echo), "session-expired", login: login)
      await gateway.client.setCookie("ostiary-gateway", "short")
      challenge(try await gateway.client.get(GatewayTester.echo), "session-expired", login: login)
    }
  }

  /// Who asks, and whether that is a browser.
  static let clients: [([String: String], Bool)] = [
    (["Accept": "text/html"], true), (["Accept": "application/xhtml+xml, text/plain"], true),
    (["Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"], true),
    (["Accept": "text/html", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], true),
    (["Accept": "TEXT/HTML;charset=utf-8"], true), (["Accept": "application/json;q=0.5, text/html"], true),
    ([:], false), (["Accept": ""], false), (["Accept": "*/*"], false), (["Accept": "application/json"], false),
    (["Accept": "application/json, text/html;q=0.5"], false), (["Accept": "text/html;q=0"], false),
    (["Accept": "text/html", "X-Requested-With": "XMLHttpRequest"], false),
    (["Accept": "text/html", "Sec-Fetch-Mode": "cors"], false), (["Accept": "image/*"], false),
    (["Accept": "text/*"], false), (["Accept": "application/problem+json, text/html;q=0.9"], false),
    (["Accept": "nonsense;;q=,,;"], false), (["User-Agent": "Mozilla/5.0"], false),
  ]

  @Test("GW-05: a browser is sent to the login page, a program gets JSON, never HTML", arguments: clients)
  func kinds(headers: [String: String], isBrowser: Bool) async throws {
    try await GatewayTester.run { gateway in
      for path in [GatewayTester.echo, "/gateway/auth", "/gateway/auth/envoy/x", "/gateway/challenge"] {
        let answer = try await gateway.client.get(path, headers: headers)
        #expect(answer.status == (isBrowser ? 302 : 401), "\(path)")
        #expect(
          answer.header("Location")?.hasPrefix(gateway.server.origin + "/gateway/login") == (isBrowser ? true : nil))
        if !isBrowser { #expect(answer.header("Content-Type") == "application/vnd.ostiary.challenge+json") }
      }
      let post = try await gateway.client.send("POST", GatewayTester.echo, headers: headers, body: "x")
      #expect(post.status == (isBrowser ? 303 : 401))
      // nginx takes nothing else, and finds the way in the same place.
      let nginx = try await gateway.client.get("/gateway/auth/nginx", headers: headers)
      #expect(nginx.status == 401)
      #expect(nginx.header("Location")?.hasPrefix(gateway.server.origin + "/gateway/login") == true)
    }
  }

  @Test("GW-04: no header, method or user agent passes without a session")
  func noBypass() async throws {
    try await withUpstream { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())] }) {
        gateway in
        let tricks: [[String: String]] = [
          ["User-Agent": "GoogleHC/1.0"], ["User-Agent": "kube-probe/1.2"], ["User-Agent": "ELB-HealthChecker/2.0"],
          ["X-Original-URL": "/healthz"], ["X-Rewrite-URL": "/healthz"], ["X-Forwarded-Uri": "/healthz"],
          ["X-Original-URI": "/gateway/login"], ["X-Forwarded-Prefix": "/gateway"], ["X-Forwarded-For": "127.0.0.1"],
          ["X-Forwarded-User": "jdoe"], ["Remote-User": "jdoe"], ["iv-user": "jdoe"], ["X-Real-IP": "127.0.0.1"],
          ["Host": "localhost"], ["X-HTTP-Method-Override": "OPTIONS"], ["Authorization": "Basic amRvZTp4"],
          ["Authorization": "Bearer x"], ["Cookie": "ostiary-gateway="],
          ["Cookie": "ostiary-gateway=" + String(repeating: "A", count: 43)],
          ["Connection": "Cookie"], ["Upgrade": "websocket", "Connection": "Upgrade"],
          ["X-Forwarded-Method": "OPTIONS"],
          ["Forwarded": "for=127.0.0.1;host=localhost"], ["X-Auth-Request-User": "jdoe"],
          ["Access-Control-Request-Method": "GET"],
        ]
        for headers in tricks {
          for method in ["GET", "HEAD", "POST", "PUT", "OPTIONS", "DELETE", "PATCH"] {
            let answer = try await gateway.client.send(method, "/app/secret", headers: headers)
            #expect(answer.status == 401, "\(method) \(headers)")
          }
          #expect(try await gateway.client.get("/gateway/auth", headers: headers).status == 401, "\(headers)")
          #expect(try await gateway.client.get("/gateway/auth/nginx", headers: headers).status == 401, "\(headers)")
          #expect(try await gateway.client.send("OPTIONS", "/gateway/auth/envoy/x", headers: headers).status == 401)
        }
        #expect(upstream.requests.isEmpty)
      }
    }
  }

  /// What a proxy tells about `https://app.example.org/a?b=c`.
  static let told: [(String, [String: String])] = [
    (
      "/gateway/auth",
      ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "app.example.org", "X-Forwarded-Uri": "/a?b=c"]
    ),
    ("/gateway/auth/nginx", ["X-Original-URL": "https://app.example.org/a?b=c"]),
    ("/gateway/challenge", ["X-Original-URL": "https://app.example.org/a?b=c"]),
    ("/gateway/auth/envoy/a?b=c", ["X-Forwarded-Proto": "https", "Host": "app.example.org"]),
  ]

  @Test(
    "GW-01: what a proxy says about the request is believed from named proxies alone; default: from nobody",
    arguments: told, [true, false])
  func trust(told: (String, [String: String]), isTrusted: Bool) async throws {
    try await GatewayTester.run(
      { $0.protectedOrigins = ["https://app.example.org"] },
      server: {
        $0.trustedProxies = isTrusted ? ["127.0.0.1"] : []
      }
    ) { gateway in
      let headers = told.1.merging(GatewayTester.html) { $1 }
      let answer = try await gateway.client.get(told.0, headers: headers)
      let location = try #require(answer.header("Location"))
      guard isTrusted else {
        #expect(location == gateway.server.origin + "/gateway/login")
        return
      }
      #expect(location.hasPrefix("https://app.example.org/gateway/login?target="))
      let page = try await gateway.client.get(
        String(location.dropFirst("https://app.example.org".count)), headers: GatewayTester.html)
      let done = try await gateway.submit(page)
      #expect(done.header("Location") == "https://app.example.org/a?b=c")
    }
  }

  @Test(
    "GW-06, GW-01: a trusted proxy's word leads to listed origins alone, and is not believed when it is ambiguous",
    arguments: [
      ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example", "X-Forwarded-Uri": "/"],
      ["X-Forwarded-Proto": "http", "X-Forwarded-Host": "app.example.org", "X-Forwarded-Uri": "/"],
      ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "app.example.org, evil.example", "X-Forwarded-Uri": "/"],
      ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "app.example.org:444", "X-Forwarded-Uri": "/"],
      ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "app.example.org@evil.example", "X-Forwarded-Uri": "/"],
      ["X-Forwarded-Proto": "javascript", "X-Forwarded-Host": "app.example.org", "X-Forwarded-Uri": "/"],
      ["X-Original-URL": "https://evil.example/", "X-Forwarded-Host": "app.example.org", "X-Forwarded-Uri": "/"],
    ])
  func ambiguous(headers: [String: String]) async throws {
    try await GatewayTester.run(
      { $0.protectedOrigins = ["https://app.example.org"] }, server: { $0.trustedProxies = ["127.0.0.1"] }
    ) { gateway in
      let answer = try await gateway.client.get("/gateway/auth", headers: headers.merging(GatewayTester.html) { $1 })
      #expect(answer.header("Location") == gateway.server.origin + "/gateway/login")
    }
  }

  @Test("What was asked with another method than GET is not gone back to", arguments: ["POST", "DELETE", "get"])
  func otherMethods(method: String) async throws {
    try await GatewayTester.run(server: { $0.trustedProxies = ["127.0.0.1"] }) { gateway in
      let host = gateway.server.origin.dropFirst("http://".count)
      let answer = try await gateway.client.get(
        "/gateway/auth",
        headers: GatewayTester.html.merging([
          "X-Forwarded-Proto": "http", "X-Forwarded-Host": String(host), "X-Forwarded-Uri": "/x",
          "X-Forwarded-Method": method,
        ]) { $1 })
      #expect(answer.status == 303)
      #expect(answer.header("Location") == gateway.server.origin + "/gateway/login")
    }
  }

  @Test("GW-08: signing out at the gateway ends the session for proxies, too; nobody else's page can do it")
  func signOut() async throws {
    try await GatewayTester.run { gateway in
      try await gateway.signIn()
      let proof = try #require(await gateway.client.cookies["ostiary-gateway"])
      let other = gateway.another()
      try await other.signIn()
      let form = try #require(GatewayTester.Form(try await gateway.client.get("/gateway/logout")))
      let token = try #require(form["token"])
      for wrong in [[], [("token", "")], [("token", token + "x")]] {
        #expect(try await gateway.client.post("/gateway/logout", form: wrong).status == 403)
      }
      #expect(try await other.client.post("/gateway/logout", form: form.fields).status == 403)
      let forged = try await gateway.client.post(
        "/gateway/logout", form: form.fields, headers: ["Sec-Fetch-Site": "cross-site"])
      #expect(forged.status == 403)
      #expect(try await gateway.whoAmI() == "jdoe")
      let answer = try await gateway.client.post("/gateway/logout", form: form.fields)
      #expect(answer.status == 200)
      #expect(answer.header("Clear-Site-Data") != nil)
      await gateway.client.setCookie("ostiary-gateway", proof)
      #expect(try await gateway.client.get("/gateway/auth").status == 401)
      #expect(try await gateway.client.get(GatewayTester.echo).status == 401)
      #expect(try await other.whoAmI() == "jdoe")
      #expect(
        try await other.client.send("DELETE", "/gateway/session", headers: ["Origin": "https://evil.example"]).status
          == 403)
      #expect(try await other.client.send("DELETE", "/gateway/session").status == 204)
      #expect(try await other.whoAmI() == nil)
    }
  }

  @Test("SE-10: the proof of one door is none at another")
  func doorsApart() async throws {
    try await GatewayTester.run { gateway in
      let pega = gateway.server.client()
      try await pega.login("jdoe", TestServer.janesPassword)
      let cookie = try #require(await pega.cookies["Pega-RULES"])
      let id = String(cookie.dropFirst("%09%7Bpd%7D".count).prefix(43))
      await gateway.client.setCookie("ostiary-gateway", id)
      #expect(try await gateway.whoAmI() == nil)
      await gateway.client.forgetCookies()
      try await gateway.signIn()
      let proof = try #require(await gateway.client.cookies["ostiary-gateway"])
      await pega.forgetCookies()
      await pega.setCookie("Pega-RULES", "%09%7Bpd%7D\(proof)%3D%3DA%7Bapp%7D")
      #expect(try await pega.whoAmI() == nil)
    }
  }

  @Test("SE-02, SE-06: signing in gives a new proof and ends the old one; a disabled user is out at once")
  func fixation() async throws {
    try await GatewayTester.run { gateway in
      try await gateway.signIn()
      let first = try #require(await gateway.client.cookies["ostiary-gateway"])
      let tab = try await gateway.client.get("/gateway/login", headers: GatewayTester.html)
      #expect(tab.status == 303)
      await gateway.client.forgetCookies()
      let open = try await gateway.page()
      await gateway.client.setCookie("ostiary-gateway", first)
      try await gateway.submit(open)
      let second = try #require(await gateway.client.cookies["ostiary-gateway"])
      #expect(first != second)
      await gateway.client.setCookie("ostiary-gateway", first)
      #expect(try await gateway.whoAmI() == nil)
      await gateway.client.setCookie("ostiary-gateway", second)
      #expect(try await gateway.whoAmI() == "jdoe")
      try await gateway.server.identity.disableUser(named: "jdoe")
      #expect(try await gateway.client.get("/gateway/auth").status == 401)
    }
  }
}
