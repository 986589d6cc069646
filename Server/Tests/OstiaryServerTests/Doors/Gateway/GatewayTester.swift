import Foundation
import HTTPTypes
import NIOHTTP1
import NIOCore
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// A running gateway with Jane, and a client with a cookie jar, which fills in forms by hand.
struct GatewayTester: Sendable {
  let server: TestServer
  let client: Client

  static let html = ["Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"]
  static let json = ["Accept": "application/json"]
  static let echo = "/jct/echo"

  /// Starts a server with a gateway, lets `body` use it, and stops it.
  static func run<Value: Sendable>(
    _ gateway: (inout GatewayDoorConfiguration) -> Void = { _ in },
    server configure: (inout ServerConfiguration) -> Void = { _ in },
    body: (GatewayTester) async throws -> Value
  ) async throws -> Value {
    var door = GatewayDoorConfiguration()
    gateway(&door)
    return try await TestServer.run({
      $0.gateway = door
      configure(&$0)
    }) { server in
      try await server.identity.addUser(
        name: "jdoe", displayName: "Jané Doe", email: "jane@example.org", password: Secret(TestServer.janesPassword))
      return try await body(GatewayTester(server: server, client: server.client()))
    }
  }

  /// The same server for another client.
  func another() -> GatewayTester { GatewayTester(server: server, client: server.client()) }

  /// A page's form.
  struct Form: Sendable {
    let action: String
    var fields: [(String, String)]

    init?(_ answer: Answer) {
      guard let action = answer.body.firstMatch(of: /<form[^>]*action="([^"]+)"/.ignoresCase())?.1 else { return nil }
      self.action = String(action)
      fields = answer.body.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)"/.ignoresCase())
        .map { (String($0.1), String($0.2)) }
    }

    subscript(name: String) -> String? { fields.first { $0.0 == name }?.1 }
  }

  /// Fills in a page's form and sends it.
  @discardableResult
  func submit(
    _ page: Answer, _ name: String = "jdoe", _ password: String = TestServer.janesPassword,
    headers: [String: String] = html
  ) async throws -> Answer {
    let form = try #require(Form(page), "\(page.status) \(page.body)")
    let isSecurityCheck = page.body.contains("j_password")
    let credential = [
      (isSecurityCheck ? "j_username" : "username", name), (isSecurityCheck ? "j_password" : "password", password),
    ]
    return try await client.post(form.action, form: form.fields + credential, headers: headers)
  }

  /// Asks for something, follows to the login page and signs in there.
  @discardableResult
  func signIn(asking path: String = echo) async throws -> Answer {
    try await submit(try await page(asking: path))
  }

  /// The login page that one is led to.
  func page(asking path: String = echo) async throws -> Answer {
    let answer = try await client.get(path, headers: Self.html)
    guard let location = answer.header("Location") else { return answer }
    return try await client.get(location, headers: Self.html)
  }

  /// Who the session's cookie says is signed in.
  func whoAmI() async throws -> String? {
    let answer = try await client.get("/gateway/session", headers: Self.json)
    return answer.status == 200 ? answer.json["user"]?.string : nil
  }
}

/// A server behind the gateway, for as long as `body` runs.
func withUpstream<Value: Sendable>(
  _ handler: @escaping LoopbackServer.Handler = { _ in [.response(200, body: "upstream")] },
  body: (LoopbackServer) async throws -> Value
) async throws -> Value {
  let upstream = try LoopbackServer(handler: handler)
  defer { upstream.stop() }
  return try await body(upstream)
}
