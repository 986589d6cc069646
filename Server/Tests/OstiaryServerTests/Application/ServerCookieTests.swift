import Foundation
import HTTPTypes
import NIOHTTP1
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("The server's cookies and the servers behind it", .serialized, .timeLimit(.minutes(20)))
struct ServerCookieTests {
  private static let password = TestServer.janesPassword

  /// The names of all cookies that a walk through the doors is given.
  private static func walk(_ gateway: GatewayTester) async throws -> Set<String> {
    var names: Set<String> = []
    func note(_ answer: Answer) -> Answer {
      for line in answer.headers["set-cookie"] { names.insert(String(ServerCookieNames.name(setting: line))) }
      return answer
    }
    let client = gateway.client
    // The gateway: its page, its session, its end.
    let page = note(try await client.get(GatewayTester.echo, headers: GatewayTester.html))
    let login = note(try await client.get(page.header("Location") ?? GatewayTester.echo, headers: GatewayTester.html))
    _ = note(try await gateway.submit(login))
    _ = note(try await client.post(GatewayTester.echo + "?held", form: [("a", "b")], headers: GatewayTester.html))
    _ = note(try await client.send("DELETE", "/gateway/session"))
    // The account pages.
    let account = note(try await client.get("/account/login"))
    if let form = GatewayTester.Form(account) {
      _ = note(
        try await client.post(
          form.action,
          form: form.fields + [("identifier", "jdoe"), ("password", password), ("action", "login")]))
    }
    let home = note(try await client.get("/account"))
    if let form = GatewayTester.Form(home) { _ = note(try await client.post(form.action, form: form.fields)) }
    // The Salesforce door's pages.
    let connect = note(try await client.get("/setup/connect"))
    if let action = connect.formAction, let token = connect.formToken {
      _ = note(
        try await client.post(action, form: [("token", token), ("username", "jdoe"), ("password", password)]))
    }
    // The Pega door: a guest, a user, the end.
    _ = note(try await client.get("/prweb/PRServlet"))
    _ = note(try await client.get(Client.loginActivity, headers: Client.basic("jdoe", password)))
    _ = note(try await client.get("/prweb/PRServlet?pyActivity=Data-Portal.EndSession"))
    // Every other route, once by each of its methods.
    for door in gateway.server.running.doors {
      for route in door.routes {
        let path = "/" + route.segments.map { $0.hasPrefix(":") ? "x" : $0 }.joined(separator: "/")
        for method in route.receivers.keys { _ = note(try await client.send(method.rawValue, path)) }
      }
    }
    return names
  }

  @Test(
    "Bug-C05: every cookie that the server sets, by any route, is on the list of its cookies",
    arguments: GatewayStyle.allCases)
  func list(style: GatewayStyle) async throws {
    try await GatewayTester.run({
      $0.style = style
      $0.validatesSecretToken = true
    }) { gateway in
      let names = try await Self.walk(gateway)
      let list = gateway.server.application.configuration.cookieNames
      for name in names { #expect(list.contains(name), "\(name)") }
      // The walk has found them, and none has been dropped for not being on the list.
      var expected: Set = [
        "ostiary-account", "ostiary-flow", "ostiary-salesforce", "ostiary-salesforce-browser", "Pega-RULES",
        "JSESSIONID",
      ]
      expected.insert(GatewayNames(style, isSecure: false).session)
      #expect(names.isSuperset(of: expected), "\(expected.subtracting(names))")
      #expect(!gateway.server.logs.text.contains("is not on the list"))
    }
  }

  @Test("Bug-C05: a cookie that is not on the list is not set, and the log says so")
  func unlisted() async throws {
    let route = Route(
      "/forgotten",
      [
        .get: { _ in
          DoorResponse(status: .ok).settingCookie("forgotten=1; Path=/").settingCookie("ostiary-flow=2; Path=/")
        }
      ])
    try await TestServer.run(furtherRoutes: [route]) { server in
      let answer = try await server.client().get("/forgotten")
      #expect(answer.headers["set-cookie"] == ["ostiary-flow=2; Path=/"])
      #expect(server.logs.text.contains("A cookie was not set"))
    }
  }

  /// Names of session cookies of this server's, and how else they can be written.
  private static let own = [
    "ostiary-account", "ostiary-flow", "ostiary-salesforce", "ostiary-salesforce-browser", "ostiary-gateway",
    "ostiary-login", "ostiary-target", "ostiary-held", "ostiary-anything", "Pega-RULES", "PegaRULES",
  ].flatMap {
    [$0, "__Host-" + $0, "__Secure-" + $0, "__HOST-" + $0.uppercased(), $0.lowercased(), "__Host-__Secure-" + $0]
  }

  @Test("Bug-C05: no session of this server's reaches an upstream, and no upstream sets one", arguments: [false, true])
  func bothWays(isPublic: Bool) async throws {
    let lines =
      Self.own.map { "\($0)=evil; Path=/" } + [
        "=ostiary-account=evil", " = nameless", "nameless", "ostiary-account", "; Path=/", " ostiary-account\t=evil",
        "JSESSIONID=1",
        "app=1; Path=/", "xostiary-account=1", "a=ostiary-account=1",
      ]
    let handler: LoopbackServer.Handler = { _ in [.response(200, lines.map { ("Set-Cookie", $0) }, body: "ok")] }
    try await withUpstream(handler) { upstream in
      try await GatewayTester.run({
        $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url())]
        if isPublic { $0.publicPaths = ["/app/x"] }
      }) { gateway in
        if !isPublic { try await gateway.signIn() }
        let session = await gateway.client.cookies["ostiary-gateway"].map { "; ostiary-gateway=\($0)" } ?? ""
        let sent =
          Self.own.map { "\($0)=canary" } + [
            "=canary", "canary", " =ostiary-account=canary", "JSESSIONID=1", "app=1", "a=b=c",
          ]
        let answer = try await RawConnection(port: gateway.server.running.port).exchange(
          "GET /app/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: \(sent.joined(separator: "; "))\(session)\r\n"
            + "Cookie: OSTIARY-ACCOUNT=canary\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        let head = String(decoding: try #require(upstream.requests.first).head, as: UTF8.self)
        #expect(!head.contains("canary"), "\(head)")
        #expect(head.contains("Cookie: JSESSIONID=1; app=1; a=b=c\r\n"), "\(head)")
        let set = answer.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("set-cookie:") }
          .map { String($0.dropFirst("set-cookie: ".count)) }
        #expect(set == ["JSESSIONID=1", "app=1; Path=/app", "xostiary-account=1", "a=ostiary-account=1"])
      }
    }
  }

  @Test(
    "Bug-C05: a vendor's name is this server's while its door is open, and the vendor's own behind the gateway otherwise"
  )
  func imitated() {
    var configuration = ServerConfiguration()
    #expect(configuration.cookieNames.withoutOwn("Pega-RULES=1; a=b") == "a=b")
    #expect(configuration.cookieNames.withoutOwn("LtpaToken2=1; JSESSIONID=1") == "LtpaToken2=1; JSESSIONID=1")
    #expect(configuration.cookieNames.contains("JSESSIONID") && !configuration.cookieNames.contains("LtpaToken2"))
    configuration.gateway?.style = .classic
    #expect(configuration.cookieNames.withoutOwn("JSESSIONID=1") == nil)
    configuration.gateway?.style = .webSEAL
    #expect(configuration.cookieNames.withoutOwn("PD-H-SESSION-ID=1; LtpaToken2=1") == nil)
    configuration.pega = nil
    configuration.salesforce = nil
    #expect(configuration.cookieNames.withoutOwn("Pega-RULES=1; ostiary-salesforce=2") == "Pega-RULES=1")
  }
}
