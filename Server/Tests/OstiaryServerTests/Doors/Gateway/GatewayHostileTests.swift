import Foundation
import NIOHTTP1
import HTTPTypes
import NIOCore
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Gateway door: hostile requests", .serialized, .timeLimit(.minutes(20)))
struct GatewayHostileTests {
  @Test("CK-13: TRACE and methods that nobody declared are 405 with Allow, and no server names its version")
  func methods() async throws {
    try await withUpstream { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())] }) {
        gateway in
        try await gateway.signIn()
        for path in [
          "/app/x", "/gateway", "/gateway/auth", "/gateway/auth/nginx", "/gateway/auth/envoy/x", "/gateway/login",
          "/gateway/logout", "/gateway/continue", "/gateway/challenge", "/gateway/session", "/jct/echo", "/jct/page",
        ] {
          for method in ["TRACE", "PROPFIND", "LOCK"] {
            let answer = try await gateway.client.send(method, path)
            #expect(answer.status == 405, "\(method) \(path)")
            #expect(answer.header("Allow")?.contains("GET") == true, "\(method) \(path)")
            #expect(answer.header("Server") == nil)
            #expect(!answer.body.contains("ostiary-gateway"))
          }
        }
        // What is no method to the parser of HTTP is no request.
        for method in ["TRACK", "FOO", "get", "G ET"] {
          let answer = try await RawConnection(port: gateway.server.running.port)
            .exchange("\(method) /app/x HTTP/1.1\r\nHost: localhost\r\n\r\n")
          #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(method)")
        }
        #expect(upstream.requests.isEmpty)
        for path in ["/gateway", "/gateway/login", "/gateway/auth", "/jct/page", "/nowhere"] {
          let answer = try await gateway.client.get(path)
          #expect(answer.header("Server") == nil)
          #expect(answer.header("X-Powered-By") == nil)
        }
      }
    }
  }

  private static let post = "POST /app/x HTTP/1.1\r\nHost: localhost\r\nCookie: ostiary-gateway=COOKIE\r\n"
  private static let smuggled =
    "GET /app/smuggled HTTP/1.1\r\nHost: localhost\r\nCookie: ostiary-gateway=COOKIE\r\n\r\n"

  /// What two servers in a row could cut into requests differently.
  static let smuggling: [String] = [
    post + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
    post + "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n" + smuggled,
    post + "Content-Length: 4\r\nContent-Length: 40\r\n\r\nbody" + smuggled,
    post + "Content-Length: 4, 40\r\n\r\nbody" + smuggled,
    post + "Content-Length: +4\r\n\r\nbody" + smuggled,
    post + "Content-Length: 0x4\r\n\r\nbody" + smuggled,
    post + "Content-Length: 4 4\r\n\r\nbody" + smuggled,
    post + "Content-Length : 4\r\n\r\nbody" + smuggled,
    post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + smuggled,
    post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + smuggled,
    post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + smuggled,
    post + "Transfer-Encoding: identity\r\n\r\n" + smuggled,
    post + "X: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
    post + "X: y\r\n\tfolded\r\nContent-Length: 0\r\n\r\n" + smuggled,
    post + "X: a\rTransfer-Encoding: chunked\r\n\r\n" + smuggled,
    post + "X: a\0b\r\nContent-Length: 0\r\n\r\n" + smuggled,
    post + "X\0: a\r\nContent-Length: 0\r\n\r\n" + smuggled,
    post + "Transfer-Encoding: chunked\r\n\r\n4 \r\nbody\r\nx\r\n\r\n" + smuggled,
    post + "Transfer-Encoding: chunked\r\n\r\n-1\r\nbody\r\n0\r\n\r\n" + smuggled,
    post + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nbody\r\n0\r\n\r\n" + smuggled,
    post + "Transfer-Encoding: chunked\r\n\r\n4\r\nbodyXX0\r\n\r\n" + smuggled,
    "POST /app/x HTTP/1.1\r\nHost: localhost\r\n Cookie: ostiary-gateway=COOKIE\r\nContent-Length: 0\r\n\r\n"
      + smuggled,
    "POST /app/x\rHTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n" + smuggled,
    "POST /app/x y HTTP/1.1\r\nHost: localhost\r\nCookie: ostiary-gateway=COOKIE\r\nContent-Length: 0\r\n\r\n"
      + smuggled,
  ]

  @Test(
    "CK-14: what could be cut into requests in two ways is refused, its connection closed, and nothing of it relayed",
    arguments: smuggling)
  func refusesAmbiguity(text: String) async throws {
    try await withUpstream { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())] }) {
        gateway in
        try await gateway.signIn()
        let cookie = try #require(await gateway.client.cookies["ostiary-gateway"])
        let answer = try await RawConnection(port: gateway.server.running.port)
          .exchange(text.replacingOccurrences(of: "COOKIE", with: cookie))
        #expect(!answer.contains("HTTP/1.1 2"), "\(answer)")
        #expect(!upstream.requests.contains { $0.path.contains("smuggled") })
        #expect(upstream.requests.isEmpty, "\(upstream.requests.map(\.target))")
      }
    }
  }

  @Test("CK-14: what is relayed is framed anew: the upstream's connection carries what was one request as one")
  func framing() async throws {
    try await withUpstream { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())] }) {
        gateway in
        try await gateway.signIn()
        let cookie = try #require(await gateway.client.cookies["ostiary-gateway"])
        let inner = "GET /inner HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let head = Self.post.replacingOccurrences(of: "COOKIE", with: cookie)
        for body in [
          "Content-Length: \(inner.utf8.count)\r\n\r\n\(inner)",
          "Transfer-Encoding: chunked\r\n\r\n\(String(inner.utf8.count, radix: 16));ext=1\r\n\(inner)\r\n0\r\nX-Trailer: y\r\n\r\n",
        ] {
          let answer = try await RawConnection(port: gateway.server.running.port).exchange(
            head + "Connection: close\r\n" + body)
          #expect(answer.hasPrefix("HTTP/1.1 200 "))
        }
        #expect(upstream.requests.map(\.target) == ["/x", "/x"])
        #expect(upstream.requests.map(\.text) == [inner, inner])
      }
    }
  }

  @Test("CK-10: nothing that is sent comes back as markup")
  func reflection() async throws {
    try await GatewayTester.run({
      $0.style = .webSEAL
      $0.challenge = .form
      $0.redirectsLocalResponses = true
    }) { gateway in
      let markup = "<script>alert(1)</script>\"'><img src=x>"
      let encoded = GatewayDoor.encoded(markup)
      for path in [
        "/login/?TAM_OP=\(encoded)", "/login/?URL=/\(encoded)", "/login/?TAM_OP=error&USERNAME=\(encoded)",
        "/jct/echo?\(encoded)",
        "/jct/\(encoded)", "/gateway/continue?target=\(encoded)",
      ] {
        let answer = try await gateway.client.get(path, headers: ["Accept": "text/html", "Referer": markup])
        #expect(!answer.body.contains("<script>alert"), "\(path)")
        #expect(!answer.body.contains("<img src=x"), "\(path)")
        #expect(!(answer.header("Location") ?? "").contains("<"))
      }
    }
  }

  @Test("PW-22, Invariant 12: passwords, proofs and tokens are in no log, journal or error of the gateway")
  func secrets() async throws {
    try await withUpstream { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())] }) {
        gateway in
        try await gateway.signIn()
        let wrong = "canary-wrong-password"
        let page = try await gateway.another().page()
        try await gateway.submit(page, "jdoe", wrong)
        try await gateway.client.get("/app/x?token=canary-query")
        upstream.stop()
        try await gateway.client.get("/app/x?token=canary-query")
        let said = gateway.server.logs.text + String(describing: gateway.server.application.journal?.entries ?? [])
        var secrets = [wrong, TestServer.janesPassword, "canary-query"]
        secrets += await gateway.client.cookies.values
        #expect(said.contains("gateway"))
        for secret in secrets { #expect(!said.contains(secret)) }
      }
    }
  }

  @Test("OP-06: without its storage the gateway says neither yes nor no")
  func storageGone() async throws {
    try await withUpstream { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())] }) {
        gateway in
        try await gateway.signIn()
        try await gateway.server.application.storage.close()
        for path in [
          "/gateway/auth", "/gateway/auth/nginx", "/gateway/auth/envoy/x", "/app/x", "/jct/echo", "/gateway/session",
        ] {
          let answer = try await gateway.client.get(path)
          #expect(answer.status == 503, "\(path)")
          #expect(answer.header("Retry-After") != nil)
        }
        #expect(upstream.requests.isEmpty)
      }
    }
  }

  @Test("OP-13: a configuration that can't be right is refused, with everything that is wrong")
  func problems() throws {
    var door = GatewayDoorConfiguration()
    door.name = "a\"b"
    door.junctions = [
      GatewayJunction(path: "app", upstream: try #require(URL(string: "http://127.0.0.1:1"))),
      GatewayJunction(path: "/x", upstream: try #require(URL(string: "ftp://127.0.0.1:1"))),
      GatewayJunction(path: "/x", upstream: try #require(URL(string: "http://127.0.0.1:1"))),
      GatewayJunction(path: "/a/../b", upstream: try #require(URL(string: "http://127.0.0.1:1"))),
    ]
    door.publicPaths = ["/*", "app", "/a/../b", "/a*b", "/%61"]
    door.protectedOrigins = ["https://app.example.org/path", "http://app.example.org"]
    door.upstreamTime = .zero
    #expect(door.problems.count == 13)
    #expect(GatewayDoorConfiguration().problems.isEmpty)
  }

  @Test("A path that another door wants keeps the server from starting")
  func collision() async throws {
    await #expect(throws: ServerConfigurationError.self) {
      try await GatewayTester.run(server: { $0.pega?.contextPath = "/gateway" }) { _ in }
    }
    let upstream = try #require(URL(string: "http://127.0.0.1:1"))
    await #expect(throws: ServerConfigurationError.self) {
      try await GatewayTester.run({
        $0.junctions = [GatewayJunction(path: "/gateway/auth/envoy", upstream: upstream)]
      }) { _ in }
    }
  }
}
