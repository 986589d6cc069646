import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import TestSupport
import Testing

/// The end of a session is confirmed when the server then refuses its proof, and otherwise said to be local only.
@Suite("Claims of a sign-out", .timeLimit(.minutes(20)))
struct ConfirmedSignOutTests {
  /// What a gateway's logout address does.
  enum Logout: String, CaseIterable, Sendable {
    /// Ends the session and answers 200, or redirects.
    case ends, endsAndRedirects
    /// Answers 200 with a page that asks for confirmation, redirects, or deletes the cookie, and goes on accepting it.
    case asks, redirects, deletesCookie
    /// Ends the session; after that the server is down.
    case endsAndFails
    /// Refuses.
    case refuses
  }

  private static func manager(
    _ logout: Logout, address: GatewayLogout? = nil
  ) throws -> (manager: SessionManager, server: LoopbackServer) {
    let state = Locked((isLive: false, isDown: false))
    let server = try LoopbackServer { request in
      let html = [("Content-Type", "text/html")]
      let form = "<form method=post action=/login><input name=u><input name=p type=password></form>"
      if request.method == "POST" {
        state.withLock { $0.isLive = true }
        return [.redirect(303, to: "/", [("Set-Cookie", "s=good; Path=/")])]
      }
      if request.path == "/logout" {
        switch logout {
        case .ends, .endsAndRedirects, .endsAndFails:
          state.withLock {
            $0.isLive = false
            $0.isDown = logout == .endsAndFails
          }
          return logout == .endsAndRedirects ? [.redirect(302, to: "/")] : [.response(200, html, body: "Bye.")]
        case .asks: return [.response(200, html, body: "<form method=post><button>Really log out?</button></form>")]
        case .redirects: return [.redirect(302, to: "/")]
        case .deletesCookie: return [.response(200, html + [("Set-Cookie", "s=; Max-Age=0; Path=/")], body: "Bye.")]
        case .refuses: return [.response(403)]
        }
      }
      if state.withLock({ $0.isDown }) { return [.response(503)] }
      let isIn = request.fields[.cookie] == "s=good" && state.withLock { $0.isLive }
      return isIn ? [.response(200, body: "inside")] : [.response(200, html, body: form)]
    }
    var login = try FormLogin("test", at: server.url())
    login.allowingInsecureHTTPForPasswords = true
    var authenticator = try GatewayAuthenticator(server: server.url(), handlers: [login])
    authenticator.logout = address ?? .visit(server.url("/logout"))
    let manager = SessionManager(authenticator: authenticator, transport: PlatformTransport())
    return (manager, server)
  }

  @Test("Bug-B02: a gateway's logout is confirmed only by its refusal of the old cookies", arguments: Logout.allCases)
  func gateway(_ logout: Logout) async throws {
    let (manager, server) = try Self.manager(logout)
    defer { server.stop() }
    try await manager.signIn(with: .password(username: "ann", password: "apple"))
    let report = await manager.signOut(confirming: true)
    #expect(!manager.status.isSignedIn)
    switch logout {
    case .ends, .endsAndRedirects:
      #expect(report.confirmation?.isConfirmed == true)
      #expect(report.confirmation?.words.contains("refused") == true)
    case .asks, .redirects, .deletesCookie:
      #expect(report.confirmation == .localOnly(reason: "the server still accepts the session's proof"))
    case .endsAndFails:
      #expect(report.confirmation?.isConfirmed == false)
      #expect(report.confirmation?.words.contains("could not be asked") == true)
    case .refuses:
      #expect(report.serverError?.code == .unexpectedResponse)
      #expect(report.confirmation == nil)
    }
  }

  @Test("Bug-B02: without a logout address nothing is confirmed, and nothing sent")
  func noLogout() async throws {
    let (manager, server) = try Self.manager(.ends, address: GatewayLogout.none)
    defer { server.stop() }
    try await manager.signIn(with: .password(username: "ann", password: "apple"))
    let before = server.requests.count
    let report = await manager.signOut(confirming: true)
    #expect(report.serverError == nil)
    #expect(report.confirmation?.isConfirmed == false)
    #expect(report.confirmation?.words.contains("no logout address") == true)
    #expect(server.requests.count == before)
  }

  @Test("Bug-B02: an app that does not ask for it gets no claim, and pays no request")
  func notAsked() async throws {
    let (manager, server) = try Self.manager(.ends)
    defer { server.stop() }
    try await manager.signIn(with: .password(username: "ann", password: "apple"))
    let report = await manager.signOut()
    #expect(report.confirmation == nil)
    #expect(server.requests.last?.path == "/logout")
    // There is nothing to confirm where no session was known.
    #expect(await manager.signOut(confirming: true).confirmation == nil)
  }

  @Test("Bug-B02: HTTP authentication keeps nothing at the server that could end")
  func headers() async throws {
    let server = try LoopbackServer { request in
      request.fields[.authorization] == nil
        ? [.response(401, [("WWW-Authenticate", "Basic realm=\"r\"")])] : [.response(200)]
    }
    defer { server.stop() }
    let manager = SessionManager(
      authenticator: try HTTPAuthentication(server: server.url()), transport: PlatformTransport())
    try await manager.signIn(with: .password(username: "ann", password: "apple"))
    let report = await manager.signOut(confirming: true)
    #expect(report.confirmation?.isConfirmed == false)
    #expect(report.confirmation?.words.contains("keeps no session") == true)
  }
}
