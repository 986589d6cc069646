import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

/// An org may have given tokens whose answer is on its way when the sign-in is given up.
@Suite("Tokens of an org that come too late", .timeLimit(.minutes(20)))
struct LateTokensTests {
  private let stub = SalesforceStub()
  private static let tokenPath = "/services/oauth2/token"

  /// Waits until the org has taken back what it has given.
  private func expectNothing() async throws {
    try await waitUntil { stub.state.withLock { !$0.revoked.isEmpty } }
    #expect(stub.state.withLock { $0.revoked.count == 1 && $0.refreshTokens.isEmpty })
  }

  @Test("Bug-F12: tokens that come after a sign-out are revoked")
  func signOut() async throws {
    var authenticator = try SalesforceAuthenticator(
      host: .production, clientID: SalesforceStub.clientID, flow: stub.browser())
    authenticator.passwords = .insecureUsernamePassword(securityToken: "+token")
    for credential in [Credential.byHandler, .password(username: "ann@acme.test", password: "secretpassword")] {
      let stub = SalesforceStub()
      let manager = SessionManager(authenticator: authenticator, transport: stub.transport, clock: stub.clock)
      let gate = Gate()
      stub.transport.inject(.holdResponse(gate), into: .post(Self.tokenPath))
      let caller = Task { await failure { try await manager.signIn(with: credential) }?.code }
      try await gate.waitForArrivals(1)
      #expect(await manager.signOut().isComplete)
      #expect(await caller.value == .signedOut)
      gate.open()
      try await manager.flush()
      #expect(stub.state.withLock { $0.revoked.count } == 1)
      #expect(manager.current == nil)
    }
  }

  @Test("Bug-F12: tokens that come after the sign-in to an account was cancelled are revoked")
  func cancelled() async throws {
    let accounts = stub.accounts()
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post(Self.tokenPath))
    let caller = Task { await failure { try await accounts.signIn(with: stub.browser()) }?.code }
    try await gate.waitForArrivals(1)
    accounts.cancelSignIn()
    #expect(await caller.value == .interactionCancelled)
    gate.open()
    try await expectNothing()
    #expect(accounts.accounts.isEmpty)
  }

  @Test(
    "Bug-F12: tokens whose user is being asked for when the sign-in is cancelled are revoked", arguments: [true, false])
  func cancelledLater(_ isAnswered: Bool) async throws {
    let accounts = stub.accounts()
    stub.state.withLock { state in
      state.alter = { members in .json(members.filter { $0.key != "id" }) }
    }
    let gate = Gate()
    let userInfo = "/services/oauth2/userinfo"
    if !isAnswered { stub.transport.inject(.respond(.status(.serviceUnavailable)), into: .get(userInfo)) }
    stub.transport.inject(.holdResponse(gate), into: .get(userInfo))
    let caller = Task { await failure { try await accounts.signIn(with: stub.browser()) }?.code }
    try await gate.waitForArrivals(1)
    accounts.cancelSignIn()
    #expect(await caller.value == .interactionCancelled)
    gate.open()
    try await expectNothing()
    #expect(accounts.accounts.isEmpty)
  }

  @Test(
    "Bug-D05: a refresh token that an app has brought, or its successor, stays good when the org can't say whose it is",
    arguments: [false, true])
  func broughtAndUnknown(_ rotates: Bool) async throws {
    let stub = SalesforceStub(rotates: rotates)
    let accounts = stub.accounts()
    stub.state.withLock { state in
      state.alter = { members in .json(members.filter { $0.key != "id" }) }
    }
    let token = Secret(try required(stub.issue(refreshToken: true)["refresh_token"]))
    stub.transport.inject(.respond(.status(.serviceUnavailable)), into: .get("/services/oauth2/userinfo"))
    let error = await failure { try await accounts.begin(refreshing: token).wait() }
    #expect(error?.isTransient == true)
    #expect(stub.state.withLock { $0.revoked.isEmpty && $0.refreshTokens.count == 1 })
    stub.transport.setFaults()
    let account = try await accounts.begin(refreshing: token).wait()
    #expect(account.loginState == .loggedIn && (account.tokens?.refreshToken == token) != rotates)
    #expect(stub.state.withLock { $0.refreshes } == 1)
  }

  @Test("Bug-D05: tokens that an app has brought stay good when the sign-in with them is cancelled")
  func broughtAndCancelled() async throws {
    var accounts: SalesforceAccounts? = stub.accounts()
    weak let present = accounts
    let token = Secret(try required(stub.issue(refreshToken: true)["refresh_token"]))
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post(Self.tokenPath))
    let signIn = accounts?.begin(refreshing: token)
    try await gate.waitForArrivals(1)
    accounts?.cancelSignIn()
    #expect(await failure { try await signIn?.wait() }?.code == .interactionCancelled)
    accounts = nil
    gate.open()
    // What works on the answer keeps the accounts until it has ended.
    try await waitUntil { present == nil }
    #expect(stub.state.withLock { $0.revoked.isEmpty && $0.refreshTokens[token.reveal()] != nil })
  }
}
