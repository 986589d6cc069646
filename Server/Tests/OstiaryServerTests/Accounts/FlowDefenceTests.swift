import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Flow pages: what other sites can't do", .timeLimit(.minutes(20)))
struct FlowDefenceTests {
  private static func flow(_ body: String) -> String {
    let rest = body.components(separatedBy: "name=\"flow\" value=\"").dropFirst().first ?? ""
    return String(rest.prefix { $0 != "\"" })
  }

  private static let types = ["Content-Type": "application/x-www-form-urlencoded"]

  /// Every row of every table.
  private static func content(_ server: TestServer) async throws -> [String] {
    try await server.application.storage.read { db in
      try ["users", "sessions", "flows", "outbox"].flatMap { table in
        try db.test.rows("SELECT * FROM \(table)").map { row in
          "\(table) \(row.map { String(decoding: $0, as: UTF8.self) })"
        }.sorted()
      }
    }
  }

  /// The account's routes that take something.
  private static func changing(_ server: TestServer) -> [Route] {
    (server.application.doors.routes(of: AccountPagesModule.self)).filter { $0.receivers.keys.contains { $0 != .get } }
  }

  @Test("CK-04: every route that changes something refuses other sites' requests, and does nothing")
  func forgery() async throws {
    try await TestServer.runWithJane({ $0.accounts?.offersSignUp = true }) { server in
      let routes = Self.changing(server)
      #expect(routes.count == 10)
      let (victim, attacker) = (server.client(), server.client())
      for client in [victim, attacker] {
        let login = Self.flow(try await client.get("/account/login").body)
        try await client.post(
          "/account/login",
          form: [
            ("flow", login), ("action", "login"), ("identifier", "jdoe"), ("password", TestServer.janesPassword),
          ])
        #expect(try await client.get("/account").body.contains("Jane Doe"))
      }
      let before = try await Self.content(server)
      for route in routes {
        let path = "/" + route.segments.joined(separator: "/")
        for method in route.receivers.keys where method != .get {
          // No token, a made-up one, and the attacker's own.
          let theirs = try await attacker.get(path == "/account/logout" ? "/account" : path)
          let token = theirs.body.components(separatedBy: "name=\"token\" value=\"").last.map {
            String($0.prefix { $0 != "\"" })
          }
          for given in ["", "made-up", Self.flow(theirs.body), token ?? ""] {
            let form =
              "flow=\(Client.encode(given))&token=\(Client.encode(given))&action=save&display_name=Owned"
            let headers = path.hasPrefix("/flows/") ? ["Content-Type": "application/json"] : Self.types
            let body = path.hasPrefix("/flows/") ? "{\"flow\":\"\(given)\",\"action\":\"save\",\"fields\":{}}" : form
            let answer = try await victim.send(method.rawValue, path, headers: headers, body: body)
            let isHarmless =
              answer.status == 403 || (path == "/flows/session" && answer.status == 204)
              || (path == "/flows/profile" && answer.status == 401)
            #expect(isHarmless, "\(method) \(path): \(answer.status)")
          }
          // The right token, from another site.
          let own = try await victim.get(path == "/account/logout" ? "/account" : path)
          let right =
            own.body.components(separatedBy: "name=\"token\" value=\"").last.map { String($0.prefix { $0 != "\"" }) }
            ?? ""
          for bad in [
            ["Origin": "https://evil.example"], ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
            ["Origin": "http://127.0.0.1:1"], ["Origin": "garbage"],
          ] {
            let body =
              "flow=\(Client.encode(Self.flow(own.body)))&token=\(Client.encode(right))&action=save&display_name=Owned"
            let answer = try await victim.send(
              method.rawValue, path, headers: Self.types.merging(bad) { $1 }, body: body)
            #expect(answer.status == 403, "\(method) \(path) \(bad): \(answer.status)")
          }
        }
      }
      #expect(try await Self.content(server) == before)
      #expect(try await victim.get("/account").body.contains("Jane Doe"))
    }
  }

  @Test("CK-05: GET, HEAD and OPTIONS change nothing, whatever they carry")
  func safeMethods() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let flow = Self.flow(try await client.get("/account/login").body)
      let query =
        "?flow=\(flow)&action=login&identifier=jdoe&password=\(Client.encode(TestServer.janesPassword))"
        + "&email=new%40example.com&token=x&display_name=Owned"
      let before = try await Self.content(server)
      for route in server.application.doors.routes(of: AccountPagesModule.self) {
        for method in ["GET", "HEAD", "OPTIONS"] {
          _ = try await client.send(method, "/" + route.segments.joined(separator: "/") + query)
        }
      }
      #expect(try await Self.content(server) == before)
    }
  }

  @Test(
    "CK-06: JSON routes take JSON alone: what a form can send is refused",
    arguments: [
      "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "",
      "text/plain;application/json",
      "application/jsonp",
    ])
  func mediaTypes(type: String) async throws {
    try await TestServer.runWithJane({ $0.accounts?.offersSignUp = true }) { server in
      let client = server.client()
      let flow = try #require(try await client.get("/flows/login").json["flow"]?["id"]?.string)
      let body =
        "{\"flow\":\"\(flow)\",\"action\":\"login\",\"fields\":{\"identifier\":\"jdoe\",\"password\":\"\(TestServer.janesPassword)\"}}"
      let headers = type.isEmpty ? [:] : ["Content-Type": type]
      for kind in FlowKind.allCases {
        let answer = try await client.send("POST", "/flows/\(kind.rawValue)", headers: headers, body: body)
        #expect(answer.status == 415, "\(kind)")
        #expect(answer.json["code"] == "request.media_type")
      }
      let good = try await client.send(
        "POST", "/flows/login", headers: ["Content-Type": "application/JSON; charset=utf-8"], body: body)
      #expect(good.status == 200)
    }
  }

  @Test(
    "CK-06: JSON of another shape is refused as a whole",
    arguments: [
      "", "{}", "[]", "null", "{\"flow\":1,\"action\":\"login\"}",
      "{\"flow\":\"x\",\"action\":\"login\",\"fields\":[]}",
      "{\"flow\":\"x\",\"action\":\"login\",\"fields\":{\"a\":1}}",
      "{\"flow\":\"x\",\"action\":\"login\",\"role\":\"admin\"}",
      "{\"flow\":\"x\",\"action\":\"login\",\"fields\":{\"a\":{\"b\":1}}}", "{\"flow\":\"x\"",
      String(repeating: "[", count: 100_000),
    ])
  func shapes(body: String) async throws {
    try await TestServer.run { server in
      let answer = try await server.client().send(
        "POST", "/flows/login", headers: ["Content-Type": "application/json"], body: body)
      #expect(answer.status == 400 && answer.json["code"] == "request.malformed")
    }
  }

  @Test("CK-07, CK-08: every answer of the flows has the security headers and is kept by nobody")
  func headers() async throws {
    try await TestServer.run { server in
      let client = server.client()
      for route in server.application.doors.routes(of: AccountPagesModule.self) {
        let path = "/" + route.segments.joined(separator: "/")
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
          let answer = try await client.send(method, path)
          let what: Comment = "\(method) \(path)"
          #expect(answer.header("Cache-Control") == "no-store", what)
          #expect(answer.header("X-Content-Type-Options") == "nosniff", what)
          #expect(answer.header("Referrer-Policy") == "no-referrer", what)
          #expect(answer.header("Cross-Origin-Opener-Policy") == "same-origin", what)
          let policy = answer.header("Content-Security-Policy") ?? ""
          #expect(policy.hasPrefix("default-src 'none'") && policy.contains("frame-ancestors 'none'"), what)
          #expect(!policy.contains("unsafe"), what)
          #expect(answer.header("Access-Control-Allow-Origin") == nil, what)
        }
      }
    }
  }

  @Test("CK-01: the pages' cookies are host-only, HttpOnly and Lax, and Secure behind https")
  func cookies() async throws {
    let cookies = PageCookies.account(isSecure: true)
    for line in [cookies.setting(session: "x"), cookies.setting(browser: "y"), cookies.deletingSession] {
      #expect(line.hasPrefix("__Host-") && line.contains("; Path=/; HttpOnly; SameSite=Lax; Secure"))
      #expect(!line.contains("Domain"))
    }
    try await TestServer.runWithJane { server in
      let client = server.client()
      for _ in 0..<50 { try await client.get("/account/login") }
      #expect(await client.cookies.count == 1)
    }
  }

  @Test("CK-10: whatever is sent comes back as text, never as markup", arguments: 0..<4)
  func reflected(seed: Int) async throws {
    var random = SplitMix(state: UInt64(seed) + 77)
    let pieces = [
      "<", ">", "\"", "'", "&", "</form>", "<script>alert(1)</script>", "<img src=x onerror=x>", "]]>", "<!--", "`",
      "javascript:", "{{x}}", "\u{202E}", "&lt;", "=", " ", "a", "\u{1F600}", "%3Cb%3E", "\r\n", "\0",
    ]
    func text() -> String { (0..<8).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined() }
    let texts = (0..<12).map { _ in "MARK" + text() }
    try await TestServer.run({ $0.accounts?.offersSignUp = true }) { server in
      let client = server.client()
      for text in texts {
        let first = try await client.get("/account/signup?return_to=\(Client.encode(text))&x=\(Client.encode(text))")
        let shape = Self.tags(first.body)
        let answer = try await client.post(
          "/account/signup",
          form: [
            ("flow", Self.flow(first.body)), ("action", "signup"), ("email", text), ("display_name", text),
            ("password", text), (text, text),
          ])
        #expect(answer.status == 422)
        // The tags of an answer are those of its own: messages and no others.
        let new = Self.tags(answer.body)
        #expect(
          new.subtracting(shape).isSubset(of: ["ul", "li", "strong", "/ul", "/li", "/strong"]),
          "\(text): \(new.subtracting(shape))")
        #expect(!answer.body.contains("<script") && !answer.body.contains("<img"))
        let named = try await client.get("/account/signup?flow=\(Client.encode(text))")
        #expect(!named.body.contains("MARK"))
      }
    }
  }

  /// The names of the tags of a page, as the SDK's own HTML tokens have them.
  private static func tags(_ page: String) -> Set<String> {
    Set(
      page.components(separatedBy: "<").dropFirst().map { piece in
        String(piece.prefix { $0.isLetter || $0 == "/" || $0.isNumber || $0 == "!" }).lowercased()
      })
  }

  @Test("CK-11: nobody is sent anywhere but to this server and the listed origins")
  func openRedirect() async throws {
    try await TestServer.runWithJane({ $0.accounts?.returnOrigins = ["https://app.example.org"] }) { server in
      for target in GatewayTargetTests.hostile {
        let client = server.client()
        let page = try await client.get("/account/login?return_to=\(Client.encode(target))")
        let answer = try await client.post(
          "/account/login",
          form: [
            ("flow", Self.flow(page.body)), ("action", "login"), ("identifier", "jdoe"),
            ("password", TestServer.janesPassword),
          ])
        #expect(answer.status == 303 && answer.header("Location") == "/account", "\(target)")
        // Signed in already.
        let again = try await client.get("/account/login?return_to=\(Client.encode(target))")
        #expect(again.header("Location") == "/account", "\(target)")
      }
    }
  }

  @Test("CK-11: listed origins and own paths are gone to")
  func redirect() async throws {
    try await TestServer.runWithJane({ $0.accounts?.returnOrigins = ["https://app.example.org"] }) { server in
      for (target, expected) in [
        ("/gateway?x=1", server.origin + "/gateway?x=1"),
        ("https://app.example.org/done", "https://app.example.org/done"),
      ] {
        let client = server.client()
        let page = try await client.get("/account/login?return_to=\(Client.encode(target))")
        #expect(page.header("Content-Security-Policy")?.contains("form-action 'self' https://app.example.org") == true)
        let answer = try await client.post(
          "/account/login",
          form: [
            ("flow", Self.flow(page.body)), ("action", "login"), ("identifier", "jdoe"),
            ("password", TestServer.janesPassword),
          ])
        #expect(answer.header("Location") == expected)
      }
    }
  }

  @Test("SE-02: a session's id is new after every sign-in and every new password, and the old one is dead")
  func fixation() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      await client.setCookie("ostiary-account", String(repeating: "A", count: 43))
      let login = Self.flow(try await client.get("/account/login").body)
      let signed = try await client.post(
        "/account/login",
        form: [("flow", login), ("action", "login"), ("identifier", "jdoe"), ("password", TestServer.janesPassword)])
      let first = try #require(signed.cookie("ostiary-account"))
      #expect(first != String(repeating: "A", count: 43))
      let profile = Self.flow(try await client.get("/account/profile").body)
      let changed = try await client.post(
        "/account/profile",
        form: [
          ("flow", profile), ("action", "change_password"), ("current_password", TestServer.janesPassword),
          ("new_password", "an entirely new long password"),
        ])
      #expect(changed.status == 303)
      let second = try #require(changed.cookie("ostiary-account"))
      #expect(second != first)
      #expect(try await client.get("/account").body.contains("Jane Doe"))
      let old = server.client()
      await old.setCookie("ostiary-account", first)
      #expect(try await old.get("/account").body.contains("not signed in"))
    }
  }
}

extension Int {
  /// The first column of a statement's first row.
  static func fetch(_ db: StorageConnection, _ sql: String) throws -> Int {
    try db.test.first(Int.self, sql) ?? -1
  }
}
