import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import TestSupport
import Testing

/// A relying party's module in front of a server: it redirects a client that accepts pages to its login, answers every
/// other with a bare 401, and lets a session pass.
@Suite("Gateways that answer programs with a bare 401", .timeLimit(.minutes(20)))
struct BareUnauthorizedTests {
  private static func server(
    redirects: Bool = true, challenge: String? = nil, inside: @escaping @Sendable (String) -> [LoopbackServer.Action]
  ) throws -> LoopbackServer {
    try LoopbackServer { request in
      if request.path == "/login" {
        if request.method == "POST" {
          return request.text.contains("p=apple")
            ? [.redirect(303, to: "/", [("Set-Cookie", "s=good; Path=/")])]
            : [.response(200, [("Content-Type", "text/html")], body: "<p>No.</p>")]
        }
        let form = "<form method=post action=/login><input name=u><input name=p type=password></form>"
        return [.response(200, [("Content-Type", "text/html")], body: form)]
      }
      if request.fields[.cookie] == "s=good" { return inside(request.path) }
      if redirects, request.fields[.accept]?.contains("*/*") == true {
        return [.redirect(302, to: "/login?return=\(request.path)")]
      }
      return [.response(401, challenge.map { [("WWW-Authenticate", $0)] } ?? [], body: "no")]
    }
  }

  private static func manager(
    _ server: LoopbackServer, login hasLogin: Bool = true, _ credentials: CredentialSource = .manual
  ) throws -> SessionManager {
    var login = try FormLogin("test", at: server.url())
    login.allowingInsecureHTTPForPasswords = true
    if hasLogin { login.loginPage = server.url("/login") }
    return SessionManager(
      authenticator: try GatewayAuthenticator(server: server.url(), handlers: [login]),
      transport: PlatformTransport(), credentials: credentials)
  }

  private static let right = Credential.password(username: "ann", password: "apple")

  @Test("Bug-B03: requests say that they accept anything, so that a relying party redirects them")
  func accept() async throws {
    let server = try Self.server { _ in [.response(body: "inside")] }
    defer { server.stop() }
    let manager = try Self.manager(server, login: false)
    try await manager.signIn(with: Self.right)
    #expect(server.requests.first?.fields[.accept] == "*/*")
    var request = try TransportRequest.get(server.url("/x"))
    request.head.headerFields[.accept] = "application/json"
    _ = try await AuthenticatedTransport(manager).send(request)
    #expect(server.requests.last?.fields[values: .accept] == ["application/json"])
  }

  @Test(
    "Bug-B03: a 401 that names no scheme is a challenge where the login page is known",
    arguments: [nil, "Cookie realm=\"x\", form-action=\"/login\""])
  func challenge(_ field: String?) async throws {
    let server = try Self.server(redirects: false, challenge: field) { _ in [.response(body: "inside")] }
    defer { server.stop() }
    let manager = try Self.manager(server)
    let error = await failure {
      try await manager.signIn(with: .password(username: "ann", password: "wrong"))
    }
    #expect(error?.code == .invalidCredentials)
    #expect(try await manager.signIn(with: Self.right).user.id == "ann")
    // On demand, too, and a POST is sent again: the gateway has not passed it on.
    let other = try Self.manager(server, .upFront(Self.right))
    let response = try await AuthenticatedTransport(other).send(
      .post(server.url("/thing"), body: Data("a".utf8), contentType: "text/plain"))
    #expect(response.text == "inside")
  }

  @Test(
    "Bug-B03: it is none without a login page, and none where it names a scheme for a field of the request",
    arguments: ["Basic realm=\"r\"", "Bearer", "Negotiate"])
  func application(_ field: String) async throws {
    let server = try Self.server(redirects: false, challenge: field) { _ in [.response()] }
    defer { server.stop() }
    let named = try Self.manager(server, .upFront(Self.right))
    #expect(try await AuthenticatedTransport(named).send(.get(server.url("/x"))).status == .unauthorized)
    let bare = try Self.server(redirects: false) { _ in [.response()] }
    defer { bare.stop() }
    let unknown = try Self.manager(bare, login: false, .upFront(Self.right))
    #expect(try await AuthenticatedTransport(unknown).send(.get(bare.url("/x"))).status == .unauthorized)
    #expect(bare.requests.count == 1)
  }

  @Test("Bug-B03: with a session, an application's own bare 401 is delivered, and the session stays")
  func applicationsOwn() async throws {
    let server = try Self.server(redirects: false) { path in
      path == "/forbidden" ? [.response(401, body: "the application says no")] : [.response(body: "inside")]
    }
    defer { server.stop() }
    let manager = try Self.manager(server, .upFront(Self.right))
    let http = AuthenticatedTransport(manager)
    #expect(try await http.send(.get(server.url("/x"))).text == "inside")
    let refused = try await http.send(.get(server.url("/forbidden")))
    #expect(refused.status == .unauthorized && refused.text == "the application says no")
    #expect(manager.status.isSignedIn)
    #expect(server.requests.count { $0.method == "POST" } == 1)
  }
}
