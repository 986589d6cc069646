import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import Testing

/// A refresh token outlives its access token: what another user's sign-in replaces is revoked.
@Suite("Tokens that another user's replace", .timeLimit(.minutes(20)))
struct ReplacedTokensTests {
  /// Ann has signed in, her access token has run out by its date, and then this user signs in.
  private func signIn(_ name: String, _ stub: OAuthStub) async throws -> SessionManager {
    var authenticator = try stub.authenticator()
    authenticator.insecurelyTakesPasswords = true
    authenticator.identity = OAuthIdentity { tokens, _, _ in
      Session.User(id: tokens.accessToken == "access-1" ? "ann" : name)
    }
    let manager = SessionManager(
      authenticator: authenticator, transport: stub.transport, credentials: .manual, clock: stub.clock)
    try await manager.signIn(with: .password(username: "ann", password: "apple"))
    stub.clock.advance(by: .seconds(3700))
    try await manager.signIn(with: .password(username: name, password: "banana"))
    #expect(manager.current?.user.id == name)
    try await manager.flush()
    return manager
  }

  @Test("OAuth-O16: over an access token whose date has passed, too, the earlier user's tokens are revoked")
  func anotherUser() async throws {
    let stub = OAuthStub()
    let manager = try await signIn("ben", stub)
    #expect(stub.state.withLock { $0.revoked } == ["refresh-1", "access-1"])
    #expect(manager.current?.proof.tokens["refresh_token"] == "refresh-2")
    #expect(manager.lastSignOut?.cause == .superseded)
  }

  @Test("The same user's earlier tokens are left: a server may end the whole grant with one (RFC 7009 §2.1)")
  func sameUser() async throws {
    let stub = OAuthStub()
    _ = try await signIn("ann", stub)
    #expect(stub.state.withLock { $0.revoked }.isEmpty)
  }

  @Test("A revocation that fails is told, once, and signs no user out")
  func fails() async throws {
    let stub = OAuthStub()
    stub.transport.inject(.status(.internalServerError), into: .post("/revoke"))
    let manager = try await signIn("ben", stub)
    let events = manager.history.filter { $0.kind == .endNotConfirmed }
    #expect(events.map(\.user) == ["ann"])
    #expect(manager.current?.user.id == "ben")
  }
}
