import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Gateway door: protocols are read as bytes", .serialized, .timeLimit(.minutes(20)))
struct GatewayBytesTests {
  /// A gateway with an upstream at `/app`, and the cookie of a user who is signed in.
  private func run(body: (GatewayTester, LoopbackServer, String) async throws -> Void) async throws {
    try await withUpstream { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url("/inner"))] })
      {
        gateway in
        try await gateway.signIn()
        try await body(gateway, upstream, try #require(await gateway.client.cookies["ostiary-gateway"]))
      }
    }
  }

  @Test(
    "Bug-C08: a path can't leave its junction behind a combining mark",
    arguments: [
      "/app/..;%CC%81/secret/", "/app/..;\u{301}/secret/", "/app/..;%cc%81x/secret", "/app/x/..%2f\u{301}../secret",
      "/app/..%5C%CC%81/secret", "/app/..\\\u{301}/secret", "/app/.;%E2%83%9D/secret", "/app/..;%EF%B8%8F/secret",
      "/app/%2e%2e;%CC%81/secret", "/app/..;%F0%9F%87%A9/secret", "/app/..;%E2%80%8D/secret",
    ])
  func paths(path: String) async throws {
    try await run { gateway, upstream, cookie in
      let answer = try await RawConnection(port: gateway.server.running.port).exchange(
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\nCookie: ostiary-gateway=\(cookie)\r\nConnection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 404 ") || answer.hasPrefix("HTTP/1.1 400 "), "\(answer.prefix(40))")
      #expect(upstream.requests.isEmpty, "\(upstream.requests.map(\.target))")
    }
  }

  @Test("Bug-C08: marks behind the separators of lists hide no element of them")
  func lists() async throws {
    try await run { gateway, upstream, cookie in
      for mark in ["\u{301}", "\u{FE0F}", "\u{200D}", "\u{20DD}"] {
        let answer = try await RawConnection(port: gateway.server.running.port).exchange(
          "GET /app/x HTTP/1.1\r\nHost: localhost\r\n"
            + "Cookie: a=b;\(mark)=c; ostiary-gateway=\(cookie);\(mark)d=e\r\n"
            + "Connection: close,\(mark)y, X-Hop,\(mark)z\r\nX-Hop: secret\r\nX-Kept: kept\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        let head = String(decoding: try #require(upstream.requests.last).head, as: UTF8.self)
        #expect(head.contains("kept"))
        #expect(!head.contains("secret"))
        #expect(!head.contains(cookie))
      }
    }
  }

  @Test("Bug-C08: what only Unicode takes for equal is not: names of cookies, form fields, segments")
  func equality() throws {
    let headers: HTTPFields = [.cookie: "\u{212A}ey=1; Key=2; \u{E9}=3; e\u{301}=4"]
    let request = DoorRequest(
      method: .get, path: "/", query: .none, headers: headers, body: [], parameters: [:], clientAddress: "::1", id: "")
    #expect(request.cookies(named: "Key") == ["2"])
    #expect(request.cookies(named: "e\u{301}") == ["4"])
    let form = try #require(FormFields(encoded: Array("%E2%84%AAey=1&Key=2".utf8)))
    #expect(form.first("Key") == "2")
    let table = RouteTable([Route("/Key/x", [.get: { _ in DoorResponse(status: .ok) }])])
    if case .found = table.match(.get, "/%E2%84%AAey/x") { Issue.record("found") }
    guard case .found = table.match(.get, "/Key/x") else {
      Issue.record("not found")
      return
    }
    let parts = try #require(PathParts("/%E2%84%AAey/x"))
    #expect(!parts.begin(with: ["Key"]))
    #expect("Content-Type: \u{212A}".lowercasedASCII == "content-type: \u{212A}")
  }

  @Test(
    "Bug-C08: cutting by bytes is what the protocols say",
    arguments: ["", ";", ";\u{301}", "a;b", "a;\u{301}b;", "\u{1F1E9}\u{1F1EA};\u{FE0F}"])
  func cutting(text: String) {
    let expected = Array(text.utf8).split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    #expect(text.byteParts(at: ";").map { Array($0.utf8) } == expected.map(Array.init))
    #expect(Array(text.bytePrefix(before: ";").utf8) == Array(expected[0]))
    #expect((text.byteHalves(at: ";") == nil) == (expected.count == 1))
    let joined = expected.dropFirst().joined(separator: [UInt8(ascii: ";")])
    if let halves = text.byteHalves(at: ";") { #expect(Array(halves.after.utf8) == Array(joined)) }
    #expect(Array((" \t" + text + "\t ").trimmingBlanks.utf8) == Array(text.utf8))
  }

  /// Names that stand for others where a server makes variables of them.
  private static let spellings = [
    "X_Real_IP", "x-real_ip", "X.Real.IP", "X-Auth-User", "x_auth_user", "X-HTTP-Method-Override",
    "X_HTTP_METHOD_OVERRIDE", "X-HTTP-Method", "X-Method-Override", "X_Forwarded_For", "X.Forwarded.Host",
    "X-Forwarded-Scheme", "X_Original_URL", "X-Original-Host", "X_Rewrite_URL", "True-Client-IP", "True_Client_IP",
    "CF-Connecting-IP", "Client-IP", "X-Client-IP", "X_Cluster_Client_IP", "Forwarded", "Proxy", "X-Host",
    "Keep_Alive", "Proxy_Authorization", "X_Hop", "x.hop", "Remote_User", "REMOTE.USER",
  ]

  @Test("Bug-C17: fields that upstreams believe arrive in no spelling")
  func fieldNames() async throws {
    try await run { gateway, upstream, cookie in
      for name in Self.spellings {
        let answer = try await RawConnection(port: gateway.server.running.port).exchange(
          "GET /app/x HTTP/1.1\r\nHost: localhost\r\nCookie: ostiary-gateway=\(cookie)\r\nConnection: close, X-Hop\r\n"
            + "\(name): canary\r\nX-Kept_Name: kept\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(name)")
        let head = String(decoding: try #require(upstream.requests.last).head, as: UTF8.self)
        #expect(head.contains("X-Kept_Name: kept"), "\(name)")
        #expect(!head.contains("canary"), "\(name)")
      }
    }
  }
}
