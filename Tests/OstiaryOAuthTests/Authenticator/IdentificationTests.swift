import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("Exchange and identification", .timeLimit(.minutes(20)))
struct IdentificationTests {
  @Test(
    "Bug-A05: a look-up that fails undoes no sign-in, spends no token twice, and can be repeated",
    arguments: [
      Fault.status(.serviceUnavailable), .refuseConnection, .garbage, .status(.forbidden), .page("<h1>x</h1>"),
    ])
  func twoSteps(_ fault: Fault) async throws {
    let stub = OAuthStub(hasUserInfo: true)
    let authenticator = try stub.authenticator()
    stub.transport.inject(fault, into: .get("/userinfo"))
    for credential in [Credential.byHandler, .proof(Proof(tokens: ["refresh_token": "refresh-1"]))] {
      let grant = try await authenticator.signIn(with: credential, in: stub.context)
      #expect(grant.needsIdentification)
      let error = await failure { try await authenticator.identify(grant, in: stub.context) }
      #expect(error?.isTransient == true)
      stub.transport.setFaults()
      let identified = try await authenticator.identify(grant, in: stub.context)
      #expect(identified.user == Session.User(id: "u1", displayName: "Ann"))
      #expect(!identified.needsIdentification)
      #expect(identified.proof == grant.proof)
      #expect(identified.expiresAt == grant.expiresAt)
      stub.transport.inject(fault, into: .get("/userinfo"))
    }
    #expect(stub.state.withLock { $0.revoked }.isEmpty)
    #expect(stub.state.withLock { $0.refreshes } == 1)
  }

  @Test("Bug-A05: tokens that the server calls worthless are revoked")
  func worthless() async throws {
    let stub = OAuthStub(hasUserInfo: true)
    let authenticator = try stub.authenticator()
    let grant = try await authenticator.signIn(with: .byHandler, in: stub.context)
    stub.dropAccessTokens()
    let error = await failure { try await authenticator.identify(grant, in: stub.context) }
    #expect(error?.code == .grantRefused)
    #expect(error?.disposition == .terminal)
    #expect(stub.state.withLock { $0.revoked } == ["refresh-1", "access-1"])
  }

  @Test("Bug-A05: a proxy's 401 to the look-up is no word about the tokens")
  func proxy() async throws {
    let stub = OAuthStub(hasUserInfo: true)
    let authenticator = try stub.authenticator()
    let grant = try await authenticator.signIn(with: .byHandler, in: stub.context)
    stub.transport.inject(
      .status(.unauthorized, headerFields: [.wwwAuthenticate: "Basic realm=\"proxy\""]), into: .get("/userinfo"))
    let error = await failure { try await authenticator.identify(grant, in: stub.context) }
    #expect(error?.isTransient == true)
    #expect(stub.state.withLock { $0.revoked }.isEmpty)
  }

  @Test("Where the user is known, there is no second step")
  func known() async throws {
    let stub = OAuthStub(hasUserInfo: true)
    var authenticator = try stub.authenticator()
    authenticator.identity = .known(.init(id: "ann"))
    let grant = try await authenticator.signIn(with: .byHandler, in: stub.context)
    #expect(!grant.needsIdentification)
    #expect(grant.user.id == "ann")
  }
}
