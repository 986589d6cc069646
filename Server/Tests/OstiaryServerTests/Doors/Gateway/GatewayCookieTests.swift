import AsyncHTTPClient
import Foundation
import NIOHTTP1
import NIOSSL
import HTTPTypes
import OstiaryTesting
import NIOCore
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Gateway door: cookies", .serialized, .timeLimit(.minutes(20)))
struct GatewayCookieTests {
  @Test("CK-01: over TLS every cookie is __Host-, Secure, HttpOnly, SameSite, for / and no domain")
  func secure() async throws {
    try await GatewayTester.run(server: { $0.tls = .developmentAuthority }) { gateway in
      var tls = TLSConfiguration.makeClientConfiguration()
      let authority = try #require(gateway.server.running.authority)
      tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
      var configuration = Client.plain
      configuration.tlsConfiguration = tls
      let http = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
      defer { http.shutdown(queue: .global()) { _ in } }
      let client = GatewayTester(server: gateway.server, client: Client(origin: gateway.server.origin, http: http))
      var set: [String] = []
      let page = try await client.page()
      set += page.headers["set-cookie"]
      set += try await client.submit(page).headers["set-cookie"]
      #expect(try await client.whoAmI() == "jdoe")
      let form = try #require(GatewayTester.Form(try await client.client.get("/gateway")))
      set += try await client.client.post("/gateway/logout", form: form.fields).headers["set-cookie"]
      #expect(set.count == 4)
      for line in set {
        let attributes = line.split(separator: ";").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(line.hasPrefix("__Host-ostiary-"), "\(line)")
        for attribute in ["Path=/", "HttpOnly", "SameSite=Lax", "Secure"] {
          #expect(attributes.contains(attribute), "\(line)")
        }
        #expect(!line.lowercased().contains("domain="))
      }
    }
  }

  @Test(
    "CK-01: on loopback without TLS the prefix and Secure are left out, and nothing else; beyond loopback it doesn't start"
  )
  func plain() async throws {
    try await GatewayTester.run { gateway in
      let answer = try await gateway.signIn()
      let line = try #require(answer.headers["set-cookie"].first)
      #expect(line.hasPrefix("ostiary-gateway="))
      #expect(line.hasSuffix("; Path=/; HttpOnly; SameSite=Lax"))
    }
    var configuration = ServerConfiguration()
    configuration.host = "0.0.0.0"
    configuration.publicOrigin = "http://id.example.org"
    #expect(configuration.problems.contains { $0.contains("Plain HTTP") })
    var door = GatewayDoorConfiguration()
    door.protectedOrigins = ["http://app.example.org"]
    #expect(door.problems.contains { $0.contains("https") })
  }

  @Test(
    "CK-02: two hundred abandoned tabs leave a bounded number of cookies, each of 4096 bytes at most",
    arguments: GatewayStyle.allCases, GatewayDoorConfiguration.Challenge.allCases)
  func abandonedTabs(style: GatewayStyle, challenge: GatewayDoorConfiguration.Challenge) async throws {
    try await GatewayTester.run({
      $0.style = style
      $0.challenge = challenge
      $0.validatesSecretToken = true
    }) { gateway in
      for number in 0..<200 {
        // Of every length, up to the longest that the server takes.
        let path = "/jct/echo?tab=\(number)&" + String(repeating: "x", count: number * number % 3500)
        let answer =
          number % 3 == 0
          ? try await gateway.client.post(path, form: [("a", "b")], headers: GatewayTester.html)
          : try await gateway.client.get(path, headers: GatewayTester.html)
        if let location = answer.header("Location") {
          try await gateway.client.get(location, headers: GatewayTester.html)
        }
        for line in answer.headers["set-cookie"] {
          #expect(line.prefix { $0 != ";" }.utf8.count <= GatewayCookies.mostBytes)
        }
      }
      let cookies = await gateway.client.cookies
      #expect(cookies.count <= 3)
      #expect(cookies.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } < 8192)
      try await gateway.signIn()
      #expect(try await gateway.whoAmI() == "jdoe")
    }
  }

  @Test("CK-03: two tabs opened side by side can both finish", arguments: GatewayStyle.allCases)
  func twoTabs(style: GatewayStyle) async throws {
    try await GatewayTester.run({
      $0.style = style
      $0.validatesSecretToken = true
    }) { gateway in
      let first = try await gateway.page(asking: "/jct/echo?first")
      let second = try await gateway.page(asking: "/jct/echo?second")
      let one = try await gateway.submit(first)
      #expect(one.header("Location") == gateway.server.origin + "/jct/echo?first")
      let other = try await gateway.submit(second)
      #expect(other.header("Location") == gateway.server.origin + "/jct/echo?second")
      #expect(try await gateway.whoAmI() == "jdoe")
    }
  }

  @Test("CK-04: a login form without its token, with another's, used or too old verifies nothing and brings a new form")
  func formTokens() async throws {
    try await GatewayTester.run { gateway in
      let credential = [("username", "jdoe"), ("password", TestServer.janesPassword)]
      let page = try await gateway.page()
      let form = try #require(GatewayTester.Form(page))
      let foreign = try #require(GatewayTester.Form(try await gateway.another().page())?["token"])
      for token in [nil, "", "x", foreign, (form["token"] ?? "") + "A", form["target"] ?? ""] {
        let answer = try await gateway.client.post(
          form.action, form: credential + (token.map { [("token", $0)] } ?? []))
        #expect(answer.status == 403)
        #expect(GatewayTester.Form(answer)?["token"] != nil)
      }
      #expect(
        try await gateway.client.send("POST", form.action, headers: ["Cookie": "ostiary-login=made.up"]).status == 415)
      gateway.server.clock.advance(by: 3601)
      let late = try await gateway.submit(page)
      #expect(late.status == 403)
      #expect(!gateway.server.logs.text.contains("authentication"))
      let answer = try await gateway.submit(late)
      #expect(answer.status == 303)
      let used = try await gateway.submit(late)
      #expect(used.status == 403)
    }
  }

  @Test("FL-07: pages and challenges for anybody write nothing")
  func anonymous() async throws {
    try await GatewayTester.run { gateway in
      for number in 0..<50 {
        _ = try await gateway.another().page(asking: "/jct/echo?\(number)")
        try await gateway.another().client.get("/gateway/auth")
      }
      let count = try await ServerSessions(storage: gateway.server.application.storage).count()
      #expect(count == 0)
    }
  }
}
