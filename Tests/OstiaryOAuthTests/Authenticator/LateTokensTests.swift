import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// A server may have given tokens whose answer is on its way when the user signs out.
@Suite("Tokens that come too late", .timeLimit(.minutes(20)))
struct LateTokensTests {
  private func manager(_ stub: OAuthStub, _ flow: OAuthFlow? = nil) throws -> SessionManager {
    var authenticator = try stub.authenticator(flow: flow)
    authenticator.insecurelyTakesPasswords = true
    return SessionManager(
      authenticator: authenticator, transport: stub.transport, credentials: .manual, clock: stub.clock)
  }

  private func expectNothing(_ stub: OAuthStub, _ manager: SessionManager) async throws {
    try await manager.flush()
    #expect(stub.state.withLock { $0.number } == 1)
    #expect(stub.state.withLock { $0.revoked } == ["refresh-1", "access-1"])
    #expect(stub.state.withLock { $0.accessTokens.isEmpty && $0.refreshTokens.isEmpty })
    #expect(manager.current == nil)
  }

  @Test(
    "Bug-F12: tokens for a password or a code that come after a sign-out are revoked",
    arguments: [.password(username: "ann", password: "apple"), .byHandler] as [Credential])
  func tokens(_ credential: Credential) async throws {
    let stub = OAuthStub()
    let manager = try manager(stub)
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post("/token"))
    let caller = Task { await failure { try await manager.signIn(with: credential) }?.code }
    try await gate.waitForArrivals(1)
    #expect(await manager.signOut().isComplete)
    #expect(await caller.value == .signedOut)
    gate.open()
    try await expectNothing(stub, manager)
  }

  /// A server whose user has entered the device's code.
  private func deviceStub() -> OAuthStub {
    let stub = OAuthStub()
    stub.transport.on(.post, "/device") { _ in
      .json([
        "device_code": "dev+1", "user_code": "ABCD-1234", "verification_uri": "https://as.test/device",
        "expires_in": 600, "interval": 5,
      ])
    }
    return stub
  }

  @Test("Bug-F12: tokens for a device's code that come after a sign-out are revoked")
  func device() async throws {
    let stub = deviceStub()
    let manager = try manager(stub, .device { _ in })
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post("/token"))
    let caller = Task { await failure { try await manager.signIn(with: .byHandler) }?.code }
    try await stub.clock.waitForSleepers()
    stub.clock.advance(by: .seconds(5))
    try await gate.waitForArrivals(1)
    #expect(await manager.signOut().isComplete)
    #expect(await caller.value == .signedOut)
    gate.open()
    try await expectNothing(stub, manager)
  }

  @Test("A code whose answer comes after a sign-out is shown to no person, and its tokens are not asked for")
  func deviceCode() async throws {
    let stub = deviceStub()
    let shown = Locked(0)
    let manager = try manager(stub, .device { _ in shown.withLock { $0 += 1 } })
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post("/device"))
    let caller = Task { await failure { try await manager.signIn(with: .byHandler) }?.code }
    try await gate.waitForArrivals(1)
    #expect(await manager.signOut().isComplete)
    #expect(await caller.value == .signedOut)
    gate.open()
    try await manager.flush()
    #expect(shown.withLock { $0 } == 0 && stub.transport.count(.post, "/token") == 0)
  }
}
