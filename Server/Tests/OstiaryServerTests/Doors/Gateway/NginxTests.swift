import Foundation
import HTTPTypes
import NIOHTTP1
import NIOCore
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// The example configuration, run by a real nginx, in front of the gateway.
@Suite(
  "nginx asks the gateway", .enabled(if: NginxServer.program != nil, "\(NginxServer.absence)"), .timeLimit(.minutes(20))
)
struct NginxTests {
  /// The example with a test's ports.
  private static func configuration(port: Int, ostiary: Int, application: Int) throws -> String {
    let example = URL(filePath: #filePath).appending(path: "../../../../../../Examples/ForwardAuth/nginx.conf")
      .standardized
    var text = try String(contentsOf: example, encoding: .utf8)
    for (known, real) in [("127.0.0.1:8443", port), ("127.0.0.1:8080", ostiary), ("127.0.0.1:9000", application)] {
      try #require(text.contains(known))
      text = text.replacing(known, with: "127.0.0.1:\(real)")
    }
    return text
  }

  /// An application behind nginx, and nginx before the gateway.
  private func run(
    trusts: Bool = true, _ body: (GatewayTester, LoopbackServer) async throws -> Void
  ) async throws {
    let port = try LoopbackPort.free()
    try await withUpstream { request in
      request.path == "/own-401"
        ? [.response(401, [("X-Own", "yes")], body: "own")] : [.response(200, body: "application")]
    } body: { application in
      try await GatewayTester.run(server: {
        $0.publicOrigin = "http://127.0.0.1:\(port)"
        $0.trustedProxies = trusts ? ["127.0.0.1"] : []
      }) { gateway in
        let nginx = try await NginxServer(
          Self.configuration(port: port, ostiary: gateway.server.running.port, application: application.port),
          port: port)
        defer { nginx.stop() }
        try await body(gateway, application)
      }
    }
  }

  @Test("GS3, GW-05: a browser signs in on the way, comes back, and is known to the application; signing out ends it")
  func browser() async throws {
    try await run { gateway, application in
      let first = try await gateway.client.get("/orders?x=1&y=%2F", headers: GatewayTester.html)
      #expect(first.status == 302)
      let location = try #require(first.header("Location"))
      #expect(location.hasPrefix(gateway.server.origin + "/gateway/login?target="))
      #expect(application.requests.isEmpty)
      let wrong = try await gateway.submit(
        try await gateway.client.get(location, headers: GatewayTester.html), "jdoe", "wrong")
      #expect(wrong.status == 200)
      let right = try await gateway.submit(wrong)
      #expect(right.status == 303)
      #expect(right.header("Location") == gateway.server.origin + "/orders?x=1&y=%2F")
      let answer = try await gateway.client.get(
        "/orders?x=1&y=%2F",
        headers: ["Remote-User": "admin", "remote_user": "admin", "Remote-Email": "admin@evil.example"])
      #expect(answer.body == "application")
      let seen = try #require(application.requests.last)
      #expect(seen.target == "/orders?x=1&y=%2F")
      #expect(!String(decoding: seen.head, as: UTF8.self).contains("admin"))
      #expect(HTTPField.Name("Remote-User").flatMap { seen.fields[$0] } == "jdoe")
      #expect(HTTPField.Name("Remote-Email").flatMap { seen.fields[$0] } == "jane@example.org")
      #expect(HTTPField.Name("Remote-Name").flatMap { seen.fields[$0] } == "Jané Doe")
      let post = try await gateway.client.post("/orders", form: [("a", "b")])
      #expect(post.status == 200)
      #expect(application.requests.last?.text == "a=b")

      let form = try #require(GatewayTester.Form(try await gateway.client.get("/gateway")))
      #expect(try await gateway.client.post("/gateway/logout", form: form.fields).status == 200)
      #expect(try await gateway.client.get("/orders", headers: GatewayTester.html).status == 302)
      #expect(application.requests.count == 2)
    }
  }

  @Test("GS3, GW-05: a program gets the typed challenge through nginx, whatever its method, and its reason")
  func program() async throws {
    try await run { gateway, application in
      for method in ["GET", "POST", "PUT", "DELETE"] {
        let answer = try await gateway.client.send(
          method, "/orders", headers: GatewayTester.json, body: method == "GET" ? nil : "{}")
        #expect(answer.status == 401, "\(method)")
        #expect(answer.header("Content-Type") == "application/vnd.ostiary.challenge+json")
        #expect(answer.header("WWW-Authenticate") == "Ostiary-Gateway realm=\"Ostiary\"")
        #expect(answer.json["reason"] == "no-session")
        #expect(answer.json["login"]?.string == gateway.server.origin + "/gateway/login")
      }
      #expect(application.requests.isEmpty)
      try await gateway.signIn(asking: "/orders")
      #expect(try await gateway.client.get("/orders", headers: GatewayTester.json).status == 200)
      // An application's own 401 is its own.
      let own = try await gateway.client.get("/own-401", headers: GatewayTester.json)
      #expect(own.status == 401)
      #expect(own.header("X-Own") == "yes")
      gateway.server.clock.advance(by: 40 * 24 * 3600)
      #expect(try await gateway.client.get("/orders", headers: GatewayTester.json).json["reason"] == "session-expired")
    }
  }

  @Test("GW-06: a form that a browser sends without a session leads to the login page, and not back to the form")
  func form() async throws {
    try await run { gateway, application in
      let answer = try await gateway.client.post("/orders", form: [("a", "b")], headers: GatewayTester.html)
      #expect(answer.status == 303)
      #expect(answer.header("Location") == gateway.server.origin + "/gateway/login")
      #expect(application.requests.isEmpty)
    }
  }

  @Test(
    "GW-01, GW-04: what a client says about its request changes nothing, with or without trust in nginx",
    arguments: [true, false])
  func spoofed(trusts: Bool) async throws {
    try await run(trusts: trusts) { gateway, application in
      let spoofed = [
        "X-Original-URL": "https://evil.example/", "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Uri": "/gateway/login",
        "X-Forwarded-Method": "OPTIONS", "X-Forwarded-For": "127.0.0.1", "X-Forwarded-Proto": "https",
      ]
      let answer = try await gateway.client.get("/orders", headers: GatewayTester.html.merging(spoofed) { $1 })
      #expect(answer.status == 302)
      let login = gateway.server.origin + "/gateway/login"
      #expect(answer.header("Location")?.hasPrefix(login) == true)
      #expect((answer.header("Location") == login) == !trusts)
      for path in ["/.ostiary/auth", "/.ostiary/challenge"] {
        #expect(try await gateway.client.get(path, headers: spoofed).status == 404)
      }
      #expect(application.requests.isEmpty)
    }
  }
}
