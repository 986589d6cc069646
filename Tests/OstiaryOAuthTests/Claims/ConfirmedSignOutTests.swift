import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("Claims of a sign-out: tokens")
struct ConfirmedSignOutTests {
  private func manager(_ stub: OAuthStub, change: (inout OAuthEndpoints) -> Void = { _ in }) throws -> SessionManager {
    var endpoints = try stub.client().endpoints
    change(&endpoints)
    let client = try OAuthClient(id: "app", authentication: .none, endpoints: endpoints)
    return SessionManager(
      authenticator: try OAuthAuthenticator(server: OAuthStub.url("/"), client: client, flow: OAuthStub.browser),
      transport: stub.transport, credentials: .byHandler, clock: stub.clock)
  }

  @Test("Bug-B02: the revoked token is shown to the userinfo endpoint, whose refusal confirms the end")
  func userInfo() async throws {
    let stub = OAuthStub(hasUserInfo: true)
    let manager = try manager(stub)
    _ = try await manager.session()
    #expect(await manager.signOut(confirming: true).confirmation?.isConfirmed == true)
    #expect(stub.transport.requests.last?.head.path == "/userinfo")
  }

  @Test("Bug-B02: a server that revokes nothing and says 200 confirms nothing")
  func stillGood() async throws {
    let stub = OAuthStub(hasUserInfo: true)
    stub.transport.on(.post, "/revoke") { _ in .status(.ok) }
    let manager = try manager(stub)
    _ = try await manager.session()
    let report = await manager.signOut(confirming: true)
    #expect(report.serverError == nil)
    #expect(report.confirmation == .localOnly(reason: "the server still accepts the session's proof"))
  }

  @Test("Bug-B02: without a place to ask, the revocation endpoint's own word counts; without that, nothing does")
  func ownSign() async throws {
    let stub = OAuthStub()
    let revoking = try manager(stub) { $0.introspection = nil }
    _ = try await revoking.session()
    #expect(await revoking.signOut(confirming: true).confirmation?.words.contains("revoked") == true)
    let other = OAuthStub(hasUserInfo: true)
    let plain = try manager(other) { $0.revocation = nil }
    _ = try await plain.session()
    let before = other.transport.requests.count
    let report = await plain.signOut(confirming: true)
    #expect(report.confirmation?.isConfirmed == false)
    #expect(report.confirmation?.words.contains("no revocation endpoint") == true)
    #expect(other.transport.requests.count == before)
  }
}
