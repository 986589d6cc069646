import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// A tenth of what `make attack` does at full size, where no other suite does as much. Each case is made from a seed.
@Suite("Attacks at a tenth of their size", .serialized, .timeLimit(.minutes(20)))
struct AttackTests {
  /// A path that a route's pattern fits.
  private static func filled(_ route: Route) -> String {
    "/"
      + (route.segments + (route.isPrefix ? ["x"] : [])).map { segment in
        switch segment {
        case ":hash": "aaaa*"
        case ":thread": "!STANDARD"
        default: segment.hasPrefix(":") ? "x" : segment
        }
      }.joined(separator: "/")
  }

  private static func pick<Element>(_ elements: [Element], _ random: inout SplitMix) -> Element {
    elements[Int(random.next() % UInt64(elements.count))]
  }

  // MARK: HTTP

  @Test("180 good requests with some of their bytes changed: none is answered 5xx, and the server goes on")
  func mutatedRequests() async throws {
    try await TestServer.run({ $0.gateway = GatewayDoorConfiguration() }) { server in
      let host = "Host: 127.0.0.1:\(server.running.port)\r\n"
      let good = [
        "GET /jct/echo?x=1 HTTP/1.1\r\n\(host)Cookie: ostiary-gateway=AAAA\r\n\r\n",
        "POST /account/login HTTP/1.1\r\n\(host)Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 8\r\n\r\na=b&c=%4",
        "POST /flows/login HTTP/1.1\r\n\(host)Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
        "POST /services/oauth2/token HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n",
      ]
      let pieces = [
        "\0", "\r", "\n", "\r\n", " ", ":", "%00", "../", ";", "\t", "99999999999", "\r\n\r\n", "é", "HTTP/1.1",
      ]
      var random = SplitMix(state: 14)
      var refused = 0
      for number in 0..<180 {
        var text = Array(Self.pick(good, &random).utf8)
        for _ in 0...(random.next() % 4) {
          let at = Int(random.next() % UInt64(text.count))
          switch random.next() % 4 {
          case 0: text[at] ^= 1 << UInt8(random.next() % 7)
          case 1: text.removeSubrange(at..<max(at, min(text.count - 1, at + Int(random.next() % 12))))
          case 2: text.insert(contentsOf: text[at..<min(text.count, at + 12)], at: at)
          default: text.insert(contentsOf: Array(Self.pick(pieces, &random).utf8), at: at)
          }
        }
        let sent = String(decoding: text, as: UTF8.self)
        let connection = try await RawConnection(port: server.running.port, endsSending: true)
        let answer = try await connection.exchange(sent)
        for status in answer.matches(of: /HTTP\/1\.1 (\d{3})/).compactMap({ Int($0.1) }) {
          #expect(status < 500, "\(number): \(sent)")
          if status >= 400 { refused += 1 }
        }
      }
      #expect(refused > 90)
      #expect(try await server.client().get("/healthz").status == 200)
    }
  }

  // MARK: The gateway

  @Test("4,614 mutated paths without a session: none reaches the upstream")
  func mutatedPaths() async throws {
    let (app, between, last) = (
      [
        "/app", "/%61pp", "//app", "/./app", "/x/../app", "/app;x=1", "/app%2f", "/app\\", "/app%00", "/jct/../app",
        "/gateway/..;/app",
      ],
      [
        "", "/.", "/..;/app", "/assets/..", "/assets/%2e%2e", "/assets/..;x", "/assets/..%2f", "/assets/..\\",
        "/assets/%252e%252e",
        "/assets;/..", "/assets//..", "/health/..", "/health%2f..", "/assets/..%c0%af", "/assets/..;%cc%81",
        "/health?/..",
      ],
      [
        "/secret", "//secret", "/secret;", "/secret%20", "/secret?x=/app/health", "/SECRET", "/%73ecret", "/secret/.",
        "/.;/secret",
        "%2fsecret", "%5csecret", ";/secret", "/secret%0d%0aX:%20y", "/secret%3f", "/;/secret", "/..;/app/secret",
        "/secret%ff",
        "/secret%252f", "/secret~1", "/x/../secret", "/secret/assets/..", "/secret%cc%81", "/%2e/secret", "/secret.css",
        "\\secret",
        "/secret#/app/health", "/secret::$DATA",
      ]
    )
    let paths = app.flatMap { first in between.flatMap { middle in last.map { first + middle + $0 } } }.prefix(4614)
    #expect(paths.count == 4614)
    try await withUpstream { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())] }) {
        gateway in
        let port = gateway.server.running.port
        var rest = paths[...]
        while !rest.isEmpty {
          // A refusal may close the connection: what is left goes over another.
          let sent = rest.prefix(100).map { "GET \($0) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n" }
          let connection = try await RawConnection(port: port, endsSending: true)
          let answers = try await connection.exchange(sent.joined())
          let count = answers.matches(of: /HTTP\/1\.1 \d{3}/).count
          try #require(count > 0, "\(sent[0])")
          #expect(!answers.contains("HTTP/1.1 2") && !answers.contains("HTTP/1.1 5"), "\(sent.prefix(count))")
          rest = rest.dropFirst(count)
        }
        #expect(upstream.requests.isEmpty)
        try await gateway.signIn()
        #expect(try await gateway.client.get("/app/secret").body == "upstream")
      }
    }
  }

  @Test("493 headers that lie about who asks: none passes, and none makes a user")
  func lyingHeaders() async throws {
    let names = [
      "Remote-User", "Remote_User", "X-Forwarded-User", "X_Forwarded_User", "X-Auth-Request-User", "iv-user",
      "X-Forwarded-Uri",
      "X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Host", "X-Forwarded-Method", "Forwarded", "X-Real-IP",
      "Authorization",
    ]
    let lies = ["mallory", "/app/health", "OPTIONS", "https://evil.example/", "ostiary-gateway=AAAA", ""]
    let places = [
      "/gateway/auth", "/gateway/auth/nginx", "/gateway/auth/envoy/x", "/gateway/session", "/app/secret", "/jct/echo",
    ]
    let cases = names.flatMap { name in lies.flatMap { lie in places.map { (name, lie, $0) } } }.prefix(493)
    #expect(cases.count == 493)
    try await withUpstream { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())] }) {
        gateway in
        for (name, lie, place) in cases {
          let answer = try await gateway.client.get(place, headers: [name: lie])
          #expect(answer.status == 401, "\(name): \(lie) at \(place)")
          #expect(answer.header("Remote-User") == nil && answer.header("Location")?.contains("evil") != true)
        }
        #expect(upstream.requests.isEmpty)
      }
    }
  }

  // MARK: Pages

  @Test("CK-04: no route of any door does a thing for a page of another origin, as five browsers tell of it")
  func forgery() async throws {
    try await TestServer.runWithJane({
      $0.gateway = GatewayDoorConfiguration()
      $0.accounts?.offersSignUp = true
    }) { server in
      let victim = server.client()
      try await victim.login("jdoe", TestServer.janesPassword)
      func content() async throws -> [String] {
        try await server.application.storage.read { db in
          try [
            "SELECT id || name || display_name || coalesce(email, '') || password FROM users",
            "SELECT leaf_hash FROM grants",
            "SELECT id_hash FROM sessions WHERE user_id IS NOT NULL", "SELECT token_hash FROM access_tokens",
            "SELECT id FROM outbox",
          ].flatMap { try db.test.rows($0).map { $0.map(\.hexadecimal).joined() }.sorted() }
        }
      }
      let before = try await content()
      let form =
        "identifier=jdoe&username=jdoe&password=\(Client.encode(TestServer.janesPassword))&UserIdentifier=jdoe"
        + "&Password=\(Client.encode(TestServer.janesPassword))&pyActivity%3DCode-Security.Login=&email=evil%40example.org"
      let json =
        "{\"email\":\"evil@example.org\",\"password\":\"\(TestServer.janesPassword)\",\"display_name\":\"Owned\"}"
      var count = 0
      for route in server.running.doors.flatMap(\.routes) {
        for method in route.receivers.keys where method != .get {
          for told in [
            ["Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"],
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "http://127.0.0.1:1"],
          ] {
            for (type, body) in [("application/x-www-form-urlencoded", form), ("application/json", json)] {
              let answer = try await victim.send(
                method.rawValue, Self.filled(route), headers: told.merging(["Content-Type": type]) { $1 }, body: body)
              #expect(answer.status < 500, "\(method) \(Self.filled(route)) \(told)")
              count += 1
            }
          }
          #expect(try await content() == before, "\(method) \(Self.filled(route))")
        }
      }
      #expect(count > 300)
    }
  }
}
