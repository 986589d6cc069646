import AsyncHTTPClient
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Gateway door: what is behind it", .serialized, .timeLimit(.minutes(20)))
struct GatewayUpstreamTests {
  /// A gateway with an upstream at `/app`, and a user who is signed in.
  private func run(
    path: String = "/app", base: String = "/",
    _ handler: @escaping LoopbackServer.Handler = { _ in [.response(200, body: "upstream")] },
    gateway configure: (inout GatewayDoorConfiguration) -> Void = { _ in },
    server: (inout ServerConfiguration) -> Void = { _ in },
    body: (GatewayTester, LoopbackServer) async throws -> Void
  ) async throws {
    try await withUpstream(handler) { upstream in
      try await GatewayTester.run(
        {
          $0.junctions = [GatewayJunction(path: path, upstream: upstream.url(base))]
          configure(&$0)
        }, server: server
      ) { gateway in
        try await gateway.signIn()
        try await body(gateway, upstream)
      }
    }
  }

  @Test(
    "A request reaches the upstream as it was sent, below the junction",
    arguments: [
      ("/app", "/"), ("/app/", "/"), ("/app/x", "/x"), ("/app/x//y?a=%20z&b=%2F", "/x//y?a=%20z&b=%2F"),
      // What no URL may have in it is encoded.
      ("/app/x?a|b={c}&d=%zz", "/x?a%7Cb=%7Bc%7D&d=%25zz"),
      ("/app/a%2Fb", "/a%2Fb"), ("/%61pp/x", "/x"), ("/app?x=1", "/?x=1"), ("/app/%C3%A9;v=1", "/%C3%A9;v=1"),
      ("/app/..x/...", "/..x/..."),
      ("/app/" + String(repeating: "a/", count: 60), "/" + String(repeating: "a/", count: 60)),
    ])
  func targets(path: String, expected: String) async throws {
    try await run { gateway, upstream in
      let cookie = try #require(await gateway.client.cookies["ostiary-gateway"])
      let answer = try await RawConnection(port: gateway.server.running.port).exchange(
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\nCookie: ostiary-gateway=\(cookie)\r\nConnection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
      #expect(upstream.requests.map(\.target) == [expected])
    }
  }

  @Test("An upstream's own path goes before; `/` takes what no door wants; the longer of two junctions wins")
  func bases() async throws {
    try await withUpstream { root in
      try await run(base: "/base/", gateway: { $0.junctions.append(GatewayJunction(path: "/", upstream: root.url())) })
      {
        gateway, upstream in
        for path in ["/app/x", "/apple", "/app", "/other/y", "/gateway/session"] { try await gateway.client.get(path) }
        #expect(upstream.requests.map(\.target) == ["/base/x", "/base/"])
        #expect(root.requests.map(\.target) == ["/apple", "/other/y"])
      }
    }
  }

  @Test(
    "Paths with dots that lead elsewhere go nowhere",
    arguments: ["/app/../x", "/app/%2e%2e/x", "/app/..%2fx", "/app/..;/x", "/app/x/.", "/app/\\..\\x", "/app/%00"])
  func dots(path: String) async throws {
    try await run { gateway, upstream in
      let cookie = try #require(await gateway.client.cookies["ostiary-gateway"])
      let answer = try await RawConnection(port: gateway.server.running.port).exchange(
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\nCookie: ostiary-gateway=\(cookie)\r\nConnection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 404 ") || answer.hasPrefix("HTTP/1.1 400 "))
      #expect(upstream.requests.isEmpty)
    }
  }

  @Test("GW-02: identity fields of the client never arrive, in any spelling; ours do, once")
  func identity() async throws {
    try await run(gateway: {
      $0.style = .webSEAL
      $0.identityHeaders.append(GatewayIdentityHeader("X-Team", .attribute("team")))
    }) { gateway, upstream in
      let names = [
        "Remote-User", "remote_user", "REMOTE-USER", "Remote_User", "remote.user", "Remote-Email", "Remote-Name",
        "Remote-Groups",
        "X-Forwarded-User", "x_forwarded_user", "X-Forwarded_Email", "iv-user", "IV_USER", "iv-groups", "iv-creds",
        "X-Remote-User", "X-Auth-Request-User", "x_auth_request_email", "X-WebAuth-User", "X-Authentik-Username",
        "X-Team",
        "x_team", "X.Team", "SM_USER",
      ]
      for name in names {
        let answer = try await gateway.client.get("/app/\(name)", headers: [name: "admin"])
        #expect(answer.status == 200)
      }
      #expect(upstream.requests.count == names.count)
      for request in upstream.requests {
        let head = String(decoding: request.head, as: UTF8.self)
        #expect(!head.contains("admin"), "\(head)")
        #expect(head.lowercased().components(separatedBy: "remote-user: jdoe").count == 2)
        #expect(head.lowercased().contains("iv-user: jdoe\r\n"))
        #expect(head.lowercased().contains("remote-email: jane@example.org\r\n"))
        #expect(head.contains("Jané Doe"))
      }
    }
  }

  @Test(
    "GW-01: who the client is, is told by the gateway; what the client says of it is believed from a named proxy alone",
    arguments: [true, false])
  func forwarded(isTrusted: Bool) async throws {
    try await run(server: { $0.trustedProxies = isTrusted ? ["127.0.0.1"] : [] }) { gateway, upstream in
      try await gateway.client.get(
        "/app/x",
        headers: [
          "X-Forwarded-For": "9.9.9.9, 8.8.8.8", "X-Forwarded-Proto": "gopher", "X-Forwarded-Host": "evil.example",
          "X-Forwarded-Port": "1", "X_Forwarded_For": "7.7.7.7", "Forwarded": "for=6.6.6.6", "X-Real-IP": "5.5.5.5",
          "X-Original-URL": "/admin", "X-Rewrite-URL": "/admin",
        ])
      let fields = try #require(upstream.requests.first).fields
      func values(_ name: String) -> [String] { HTTPField.Name(name).map { fields[values: $0] } ?? [] }
      #expect(values("X-Forwarded-For") == [isTrusted ? "8.8.8.8" : "127.0.0.1"])
      #expect(values("X-Forwarded-Proto") == ["http"])
      #expect(values("X-Forwarded-Host") == [String(gateway.server.origin.dropFirst("http://".count))])
      #expect(values("X-Forwarded-Prefix") == ["/app"])
      for name in ["X-Forwarded-Port", "X_Forwarded_For", "Forwarded", "X-Real-IP", "X-Original-URL", "X-Rewrite-URL"] {
        #expect(values(name).isEmpty, "\(name)")
      }
    }
  }

  @Test("Fields about one connection don't travel on, in either direction")
  func hopByHop() async throws {
    try await run { _ in
      [
        .response(
          200,
          [
            ("Connection", "X-Inner"), ("X-Inner", "secret"), ("Keep-Alive", "timeout=5"),
            ("Proxy-Authenticate", "Basic"),
            ("Upgrade", "h2c"), ("X-Outer", "kept"), ("Server", "upstream/1"), ("Ostiary-Relayed", "2"),
          ], body: "ok")
      ]
    } body: { gateway, upstream in
      let cookie = try #require(await gateway.client.cookies["ostiary-gateway"])
      let answer = try await RawConnection(port: gateway.server.running.port).exchange(
        "GET /app/x HTTP/1.1\r\nHost: localhost\r\nCookie: a=b; ostiary-gateway=\(cookie); c=d\r\nConnection: close, X-Hop\r\n"
          + "X-Hop: secret\r\nX-Kept: yes\r\nTE: trailers\r\nUpgrade: websocket\r\nProxy-Authorization: Basic eA==\r\n"
          + "Keep-Alive: 1\r\nTrailer: X\r\nAuthorization: Bearer inner\r\nExpect: 100-continue\r\n\r\n")
      let head = String(decoding: try #require(upstream.requests.first).head, as: UTF8.self).lowercased()
      for name in [
        "x-hop", "te:", "upgrade", "proxy-authorization", "keep-alive", "trailer", "expect", cookie.lowercased(),
      ] {
        #expect(!head.contains(name), "\(name): \(head)")
      }
      #expect(head.contains("x-kept: yes\r\n"))
      #expect(head.contains("authorization: bearer inner\r\n"))
      #expect(head.contains("cookie: a=b; c=d\r\n"))
      for name in ["x-inner", "secret", "keep-alive:", "proxy-authenticate", "upgrade", "ostiary-relayed"] {
        #expect(!answer.lowercased().contains(name), "\(name): \(answer)")
      }
      #expect(answer.contains("X-Outer: kept\r\n"))
      // What it protects its pages with, or doesn't, is the upstream's business.
      #expect(!answer.lowercased().contains("content-security-policy"))
      #expect(!answer.lowercased().contains("cache-control"))
    }
  }

  @Test(
    "Redirects and cookies of the upstream lead back through the junction; it can't touch the gateway's own cookies")
  func rewriting() async throws {
    try await withUpstream { request in
      let port = request.fields[.init("X-Port") ?? .accept] ?? ""
      return [
        .response(
          302,
          [
            (
              "Location",
              request.path == "/own" ? "http://127.0.0.1:\(port)/base/x?y" : String(request.path.dropFirst(5))
            ),
            ("Set-Cookie", "a=b; Path=/base/x; HttpOnly"), ("Set-Cookie", "c=d; path=/; Domain=127.0.0.1"),
            ("Set-Cookie", "ostiary-gateway=evil; Path=/"), ("Set-Cookie", "e=f"), ("Set-Cookie", "ostiary-login=x"),
          ])
      ]
    } body: { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url("/base"))] }) {
        gateway in
        try await gateway.signIn()
        let answer = try await gateway.client.get("/app//x")
        #expect(
          answer.headers["set-cookie"] == ["a=b; Path=/app/x; HttpOnly", "c=d; Path=/app", "e=f"])
        #expect(try await gateway.whoAmI() == "jdoe")
      }
      let map = try #require(JunctionMap(GatewayJunction(path: "/app", upstream: upstream.url("/base"))))
      let own = "http://127.0.0.1:\(upstream.port)"
      for (told, expected) in [
        (own + "/base/x?y", "/app/x?y"), (own, "/app/"), (own + "/other", "/app/other"), ("/base/x", "/app/x"),
        ("/x", "/app/x"),
        ("//127.0.0.1:\(upstream.port)/x", "/app/x"), ("x/y", "x/y"), ("?q", "?q"),
        ("https://other.example/x", "https://other.example/x"),
        ("//other.example/x", "//other.example/x"), ("/", "/app/"), ("/basement", "/app/basement"),
      ] {
        #expect(map.location(told) == expected)
      }
      let root = try #require(JunctionMap(GatewayJunction(path: "/", upstream: upstream.url())))
      #expect(root.location("/x") == "/x")
      #expect(root.location(own + "/x") == "/x")
      #expect(root.cookie("a=b; Path=/x") == "a=b; Path=/x")
    }
  }

  @Test(
    "Bodies pass through whole: sized, in chunks, none, large in both directions", arguments: [0, 1, 5000, 3_000_000])
  func bodies(size: Int) async throws {
    try await run { request in
      [.response(200, [("X-Length", "\(request.body.count)")], body: String(decoding: request.body, as: UTF8.self))]
    } body: { gateway, upstream in
      let text = String(repeating: "0123456789", count: size / 10 + 1).prefix(size)
      for isSized in [true, false] {
        var request = HTTPClientRequest(url: gateway.server.origin + "/app/x")
        request.method = .POST
        request.headers.add(
          name: "Cookie", value: "ostiary-gateway=\(try #require(await gateway.client.cookies["ostiary-gateway"]))")
        let pieces = stride(from: 0, to: text.utf8.count, by: 4096).map {
          ByteBuffer(bytes: text.utf8.dropFirst($0).prefix(4096))
        }
        request.body = .stream(
          AsyncStream { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish()
          }, length: isSized ? .known(Int64(size)) : .unknown)
        let response = try await Client.shared.execute(request, timeout: .seconds(300))
        let body = String(buffer: try await response.body.collect(upTo: 8 << 20))
        #expect(response.headers.first(name: "X-Length") == "\(size)")
        #expect(body == text)
        let last = try #require(upstream.requests.last)
        #expect(last.fields[.contentLength] == (isSized ? "\(size)" : nil))
      }
    }
  }

  @Test("An answer arrives piece by piece, before its end is known")
  func streaming() async throws {
    let gate = Gate()
    try await run { _ in
      [.head(200, [("Transfer-Encoding", "chunked")]), .chunk("first"), .wait(gate), .chunk("second"), .lastChunk]
    } body: { gateway, _ in
      var request = HTTPClientRequest(url: gateway.server.origin + "/app/x")
      request.headers.add(
        name: "Cookie", value: "ostiary-gateway=\(try #require(await gateway.client.cookies["ostiary-gateway"]))")
      let response = try await Client.shared.execute(request, timeout: .seconds(300))
      var pieces = response.body.makeAsyncIterator()
      #expect(try await pieces.next().map { String(buffer: $0) } == "first")
      gate.open()
      #expect(try await pieces.next().map { String(buffer: $0) } == "second")
      #expect(try await pieces.next() == nil)
    }
  }

  @Test("A body is sent on before its end is there")
  func streamingUp() async throws {
    try await run { gateway, upstream in
      let (body, pieces) = AsyncStream<ByteBuffer>.makeStream()
      var request = HTTPClientRequest(url: gateway.server.origin + "/app/x")
      request.method = .POST
      request.headers.add(
        name: "Cookie", value: "ostiary-gateway=\(try #require(await gateway.client.cookies["ostiary-gateway"]))")
      request.body = .stream(body, length: .unknown)
      let outgoing = request
      async let response = Client.shared.execute(outgoing, timeout: .seconds(300))
      pieces.yield(ByteBuffer(string: "first"))
      // The upstream has the connection before the body is whole.
      try await waitUntil { upstream.connectionCount == 1 }
      #expect(upstream.requests.isEmpty)
      pieces.yield(ByteBuffer(string: "second"))
      pieces.finish()
      #expect(try await response.status == .ok)
      #expect(upstream.requests.map(\.text) == ["firstsecond"])
    }
  }

  @Test("An upstream that answers before it has the body, or breaks off, or is not there")
  func failures() async throws {
    let handler: LoopbackServer.Handler = { request in
      switch request.path {
      case "/broken": [.head(200, [("Content-Length", "100")]), .send("half"), .close]
      case "/reset": [.reset]
      case "/garbage": [.send("no http\r\n\r\n"), .close]
      case "/silent": [.hold]
      default: [.response(200, body: "ok")]
      }
    }
    try await run(handler, gateway: { $0.upstreamTime = .milliseconds(500) }) { gateway, _ in
      let late = try await gateway.client.get("/app/silent", headers: GatewayTester.json)
      #expect(late.status == 504)
      #expect(late.json["error"]?["status"] == 504)
      #expect(try await gateway.client.get("/healthz").status == 200)
    }
    // The others have all the time that they need.
    try await run(handler, gateway: { $0.upstreamTime = .seconds(300) }) { gateway, upstream in
      await #expect(throws: (any Error).self) { try await gateway.client.get("/app/broken") }
      #expect(try await gateway.client.get("/app/reset").status == 502)
      #expect(try await gateway.client.get("/app/garbage").status == 502)
      #expect(try await gateway.client.get("/app/x").status == 200)
      upstream.stop()
      let gone = try await gateway.client.get("/app/x", headers: GatewayTester.html)
      #expect(gone.status == 502)
      #expect(gone.header("Content-Security-Policy") != nil)
      // Whether or not the body is there before it is known that it is not wanted.
      for _ in 0..<20 { #expect(try await gateway.client.send("POST", "/app/x", body: "x").status == 502) }
      #expect(try await gateway.client.get("/healthz").status == 200)
    }
  }

  @Test("An upstream that refuses a long upload at once: its answer arrives, and the connection closes")
  func earlyAnswer() async throws {
    // A server that answers to the head alone, which no decent test server does.
    let upstream = try await EarlyAnswerer.start()
    let url = try #require(URL(string: "http://127.0.0.1:\(upstream.port)"))
    try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: url)] }) { gateway in
      try await gateway.signIn()
      let cookie = try #require(await gateway.client.cookies["ostiary-gateway"])
      let head =
        "POST /app/x HTTP/1.1\r\nHost: localhost\r\nCookie: ostiary-gateway=\(cookie)\r\nContent-Length: 100000000\r\n\r\n"
      let chunk = String(repeating: "x", count: 65_536)
      let answer = try await RawConnection(port: gateway.server.running.port).exchange(
        [head] + Array(repeating: chunk, count: 20), pause: .milliseconds(5))
      #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer.prefix(200))")
      #expect(answer.hasSuffix("too much"))
      #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
      #expect(try await gateway.client.get("/healthz").status == 200)
    }
    try await upstream.stop()
  }

  @Test("A client that leaves in the middle of an upload leaves nothing behind")
  func clientLeaves() async throws {
    try await run { gateway, upstream in
      let cookie = try #require(await gateway.client.cookies["ostiary-gateway"])
      for number in 1...10 {
        let connection = try await RawConnection(port: gateway.server.running.port)
        let upload = Task {
          try await connection.exchange(
            "POST /app/x HTTP/1.1\r\nHost: localhost\r\nCookie: ostiary-gateway=\(cookie)\r\n"
              + "Content-Length: 1000\r\n\r\nhalf")
        }
        try await waitUntil { upstream.connectionCount == number }
        upload.cancel()
        _ = await upload.result
        try await upstream.waitForNoConnections(timeout: .seconds(120))
      }
      #expect(upstream.requests.isEmpty)
      #expect(try await gateway.client.get("/app/x").status == 200)
    }
  }

  @Test("HEAD and answers without a body keep the connection in order")
  func bodiless() async throws {
    try await run { request in
      switch request.path {
      case "/304": [.response(304, [("ETag", "x")])]
      case "/204": [.head(204)]
      default: request.method == "HEAD" ? [.head(200, [("Content-Length", "5")])] : [.response(200, body: "hello")]
      }
    } body: { gateway, _ in
      let cookie = try #require(await gateway.client.cookies["ostiary-gateway"])
      let fields = "Host: localhost\r\nCookie: ostiary-gateway=\(cookie)\r\n"
      let answer = try await RawConnection(port: gateway.server.running.port).exchange(
        "HEAD /app/x HTTP/1.1\r\n\(fields)\r\nGET /app/304 HTTP/1.1\r\n\(fields)\r\nGET /app/204 HTTP/1.1\r\n\(fields)\r\n"
          + "GET /app/x HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n")
      #expect(answer.matches(of: /HTTP\/1\.1 (\d{3})/).map { String($0.1) } == ["200", "304", "204", "200"])
      #expect(answer.components(separatedBy: "hello").count == 2)
      #expect(answer.hasSuffix("\r\n\r\nhello"))
    }
  }
}
