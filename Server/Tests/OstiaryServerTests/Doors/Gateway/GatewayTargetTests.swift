import Foundation
import NIOHTTP1
import HTTPTypes
import NIOCore
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Gateway door: targets, public paths, admission", .serialized, .timeLimit(.minutes(20)))
struct GatewayTargetTests {
  /// What has been used to make one reader see another host than the next.
  static let hostile: [String] = [
    "//evil.example", "//evil.example/%2f..", "/\\evil.example", "\\\\evil.example", "/\\/evil.example",
    "https:evil.example", "https:/evil.example", "https:\\\\evil.example", "https:///evil.example", "http:evil.example",
    "https://evil.example", "https://evil.example/jct/echo", "https://id.example.org@evil.example/",
    "https://id.example.org:443@evil.example/", "https://evil.example#@id.example.org/",
    "https://evil.example?id.example.org",
    "https://id.example.org.evil.example/", "https://evilid.example.org/", "https://id.example.org:444/",
    "http://id.example.org/", "https://id.example.org\\@evil.example/", "https://id.example.org%40evil.example/",
    "https://id.example.org%2eevil.example/", "https://іd.example.org/", "https://id。example。org/",
    "https://ID.example.org\t/",
    "/\t/evil.example", "/\r\n/evil.example", "/%0d%0aLocation:%20https://evil.example", "/%2f%2fevil.example",
    "/%2fevil.example", "/%5cevil.example", "/%5C%5Cevil.example", "/%2Fevil.example", "/ /evil.example",
    " //evil.example", "\t//evil.example",
    "javascript:alert(1)", "data:text/html,x", "jct/echo", "", ".", "..", "/..//evil.example",
    "/jct/../..//evil.example",
    "/%2e%2e//evil.example", "/./\\evil.example", "/..%2f..%2fevil.example", "/x/..;/evil", "https://[evil.example]/",
    "https://[::1]:443/", "https://id.example.org:99999/", "https://id.example.org:/", "https://", "https://@", "//",
    "/\0",
    "/a#//evil.example", "/é", "https://user:pass@id.example.org/", "HTTPS://evil.example/", "ftp://id.example.org/",
    "https://id.example.org /", "https://id.example.org\u{200B}/",
  ]

  private static let own = Origin(scheme: "https", host: "id.example.org", port: nil)
  private static let app = Origin(scheme: "https", host: "app.example.org", port: 8443)

  @Test("CK-11: nothing but a path, or an address on a listed origin, is ever gone to", arguments: hostile)
  func refused(text: String) throws {
    let own = try #require(Self.own)
    #expect(ReturnTarget(text, origin: own, allowed: [own]) == nil)
    #expect(ReturnTarget(own, path: text) == nil)
  }

  @Test(
    "CK-11: what is on the list is gone to as it is",
    arguments: [
      ("/", "https://id.example.org/"), ("/a/b?c=d&e=//f", "https://id.example.org/a/b?c=d&e=//f"),
      ("/a//b", "https://id.example.org/a//b"), ("/a%20b?x=%2f%2fy", "https://id.example.org/a%20b?x=%2f%2fy"),
      ("https://id.example.org", "https://id.example.org/"),
      ("https://id.example.org:443/x", "https://id.example.org/x"),
      ("https://app.example.org:8443/x?y", "https://app.example.org:8443/x?y"),
      ("https://ID.EXAMPLE.ORG/x", "https://id.example.org/x"),
      ("/.well-known/x", "https://id.example.org/.well-known/x"),
      ("/a/...", "https://id.example.org/a/..."),
    ])
  func accepted(text: String, url: String) throws {
    let (own, app) = (try #require(Self.own), try #require(Self.app))
    #expect(ReturnTarget(text, origin: own, allowed: [own, app])?.url == url)
  }

  @Test("CK-11: the login page, forwarded addresses and the form lead to no other origin", arguments: hostile)
  func overHTTP(text: String) async throws {
    try await GatewayTester.run(server: { $0.trustedProxies = ["127.0.0.1"] }) { gateway in
      let origin = gateway.server.origin
      let query = "?rd=" + GatewayDoor.encoded(text)
      let page = try await gateway.client.get("/gateway/login" + query, headers: GatewayTester.html)
      #expect(page.status == 200)
      var headers = GatewayTester.html
      // Headers that no client library would send are no danger from it either.
      if !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
        headers["X-Forwarded-Host"] = "evil.example"
        headers["X-Forwarded-Uri"] = text
        let first = try await gateway.client.get("/gateway/auth", headers: headers)
        #expect(first.header("Location") == origin + "/gateway/login")
        headers["X-Forwarded-Host"] = nil
        headers["X-Original-URL"] = text
        let second = try await gateway.client.get("/gateway/auth/nginx", headers: headers)
        #expect(second.header("Location") == origin + "/gateway/login")
      }
      let answer = try await gateway.submit(page)
      #expect(answer.header("Location") == "/gateway")
    }
  }

  @Test("GW-06: a destination is sealed: changed, made up, of another purpose or too old it leads to the beginning")
  func sealed() async throws {
    try await GatewayTester.run { gateway in
      let first = try await gateway.client.get("/jct/echo?x", headers: GatewayTester.html)
      let location = try #require(first.header("Location"))
      let target = try #require(location.split(separator: "=").last.map(String.init))
      let page = try await gateway.client.get(location, headers: GatewayTester.html)
      let token = try #require(GatewayTester.Form(page)?["token"])
      var wrong = ["", "x", ".", "a.b", target + "x", "x" + target, target.replacing(".", with: ""), token]
      for (index, byte) in target.enumerated() where index % 7 == 0 {
        wrong.append(target.prefix(index) + (byte == "A" ? "B" : "A") + target.dropFirst(index + 1))
      }
      let payload = Array("9999999999\u{1F}https://evil.example/\u{1F}".utf8).base64URL
      wrong.append(payload + "." + target.split(separator: ".")[1])
      for text in wrong {
        let page = try await gateway.client.get("/gateway/login?target=" + text, headers: GatewayTester.html)
        #expect(GatewayTester.Form(page)?["target"] == nil, "\(text)")
      }
      var form = try #require(GatewayTester.Form(page))
      form.fields.removeAll { $0.0 == "target" }
      let credential = [("username", "jdoe"), ("password", TestServer.janesPassword), ("target", wrong.last ?? "")]
      let answer = try await gateway.client.post(form.action, form: form.fields + credential)
      #expect(answer.header("Location") == "/gateway")
      await gateway.client.forgetCookies()
      gateway.server.clock.advance(by: 3601)
      let late = try await gateway.client.get(location, headers: GatewayTester.html)
      #expect(GatewayTester.Form(late)?["target"] == nil)
    }
  }

  @Test(
    "GW-03: only the very path is public, decoded, normalised and without its query",
    arguments: [
      ("/app/health", true), ("/app/health?x=/../admin", true), ("/app/assets/a.css", true), ("/app/assets/a/b", true),
      ("/app/health/", false), ("/app/Health", false), ("/APP/health", false), ("/app/healthz", false),
      ("/app/assets", false),
      ("/app/%68ealth", false), ("/app/health%2f..%2fadmin", false), ("/app/assets/%2e%2e/admin", false),
      ("/app/assets/../admin", false), ("/app/assets/..%2fadmin", false), ("/app/assets/..;/admin", false),
      ("/app/assets;x/../admin", false), ("/app/health;x", false), ("/app//health", false), ("//app/health", false),
      ("/app/assets//admin", false), ("/app/assets/%5c..%5cadmin", false), ("/app/assets/\\..\\admin", false),
      ("/app/assets/%252e%252e/admin", false), ("/app/./health", false), ("/app/assets/%00", false),
      ("/app/admin?/app/health", false), ("/app/admin?x=/app/assets/", false), ("/app/admin#/app/health", false),
      ("/admin/app/health", false), ("/app/assets/é", false),
    ])
  func publicPaths(path: String, isPublic: Bool) async throws {
    let paths = GatewayPublicPaths(["/app/health", "/app/assets/*"])
    #expect(paths.contains(String(path.prefix { $0 != "?" })) == isPublic)
    try await withUpstream { upstream in
      try await GatewayTester.run({
        $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())]
        $0.publicPaths = ["/app/health", "/app/assets/*"]
      }) { gateway in
        // As it is, without a client library that resolves it.
        let answer = try await RawConnection(port: gateway.server.running.port)
          .exchange("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 ") == isPublic, "\(answer.prefix(100))")
        #expect(upstream.requests.isEmpty == !isPublic)
      }
    }
  }

  @Test(
    "GW-09: an address is on the list only if it is one, and the same",
    arguments: [
      ("ann@example.org", true), ("ANN@Example.ORG", true), ("bob@good.example", true), ("x.y+z@good.example", true),
      ("ann@example.org@evil.example", false), ("a@evil@good.example", false), ("ann@example.org ", false),
      (" ann@example.org", false), ("bob@good.example.evil.example", false), ("bob@sub.good.example", false),
      ("bob@evilgood.example", false), ("bob@good.example.", false), ("bob@.good.example", false),
      ("@good.example", false),
      ("bob@", false), ("good.example", false), ("\"bob@evil\"@good.example", false), ("bob@[127.0.0.1]", false),
      ("bob(x)@good.example", false), ("bob@good.example(x)", false), ("bob,ann@good.example", false),
      ("bob@good.example\n", false), ("bob\0@good.example", false), ("bob..x@good.example", false),
      ("<bob@good.example>", false), ("bob@ɡood.example", false), ("böb@good.example", false),
      ("bob%evil@good.example@x", false),
      ("ann@example.org\u{301}", false), ("bob@good.example;x", false), ("", false),
    ])
  func admission(address: String, isAdmitted: Bool) {
    let admission = GatewayAdmission(["ann@example.org", "@good.example"], admitsSelfMade: false)
    #expect(admission.admits(Self.user(email: address)) == isAdmitted)
    #expect(GatewayAdmission([], admitsSelfMade: false).admits(Self.user(email: address)))
  }

  @Test("GW-09: whoever isn't on the list gets 403 everywhere, though the password is right")
  func notAdmitted() async throws {
    try await GatewayTester.run({ $0.admitted = ["@good.example"] }) { gateway in
      let answer = try await gateway.signIn()
      #expect(answer.status == 403)
      #expect(try await gateway.whoAmI() == nil)
      try await gateway.server.identity.addUser(
        name: "bob", email: "bob@good.example", password: Secret(TestServer.janesPassword))
      try await gateway.submit(try await gateway.page(), "bob")
      #expect(try await gateway.whoAmI() == "bob")
      #expect(try await gateway.client.get("/gateway/auth").status == 202)
      #expect(GatewayDoorConfiguration().problems.isEmpty)
      var configuration = GatewayDoorConfiguration()
      configuration.admitted = ["a@evil@good", "@", "@localhost"]
      #expect(configuration.problems.count == 3)
    }
  }

  static func user(email: String?) -> User {
    User(
      id: "1", tenant: nil, name: "x", displayName: "x", email: email, attributes: [:], isDisabled: false,
      hasPassword: true, createdAt: .distantPast, updatedAt: .distantPast, generation: 0,
      isEmailVerified: email != nil, isSelfMade: false, isAdmitted: true)
  }
}
