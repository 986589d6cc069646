import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// The provider in memory is wrong in one way at a time. Nothing but its address is known.
@Suite("OpenID-3: a provider whose ID tokens are wrong in one way", .timeLimit(.minutes(20)))
struct IDTokenProviderTests {
  private let world: ProviderWorld

  init() throws { world = try ProviderWorld() }

  private func authenticator() throws -> OAuthAuthenticator {
    let directory = ServerDirectory(transport: world.transport, clock: world.clock)
    let client = try OAuthClient(id: "app", issuer: world.provider.settings.issuer, in: directory)
    return try OAuthAuthenticator(
      server: world.provider.address(of: .resource), client: client,
      flow: .authorizationCode(
        in: world.browser, redirectURI: ProviderWorld.redirectURI, scope: "openid offline_access",
        parameters: ["max_age": "3600", "acr_values": "1"]))
  }

  private func signIn(_ authenticator: OAuthAuthenticator) async throws -> SessionGrant {
    let grant = try await authenticator.signIn(with: .byHandler, in: world.context)
    return try await authenticator.identify(grant, in: world.context)
  }

  @Test("OpenID-3: a provider that is right is believed, whether its keys have names or not", arguments: [true, false])
  func right(hasNames: Bool) async throws {
    if !hasNames { world.provider.makeWrong(.keysWithoutNames) }
    let grant = try await signIn(authenticator())
    #expect(grant.user.id == world.provider.user?.id)
    #expect(world.provider.counts[.userInfo] == 0)
  }

  @Test(
    "OpenID-3: each wrong ID token refuses a sign-in",
    arguments: [
      .missingIDToken, .wrongIssuer, .wrongAudience, .missingAuthorizedParty, .wrongAuthorizedParty, .expiredIDToken,
      .futureIDToken, .missingExpiry, .missingIssueTime, .missingNonce, .wrongNonce, .unsignedIDToken, .wrongSignature,
      .unknownKey, .publicKeyAsSecret, .encryptedIDToken, .repeatedClaim, .wrongAccessTokenHash, .missingSubject,
      .longSubject, .oldAuthentication, .missingAuthenticationTime, .weakAuthentication,
    ] as [ProviderFault])
  func refused(_ fault: ProviderFault) async throws {
    let authenticator = try authenticator()
    world.provider.makeWrong(fault)
    let error = await failure { try await signIn(authenticator) }
    #expect(error?.code == .idTokenRefused && error?.disposition == .terminal)
    #expect((error?.underlying as? JOSEError)?.source != nil)
  }

  @Test("OpenID-3: userinfo of another user refuses the sign-in")
  func userInfo() async throws {
    var authenticator = try authenticator()
    authenticator.identity = .userInfo
    world.provider.makeWrong(.userInfoOfAnotherUser)
    #expect(await failure { try await signIn(authenticator) }?.code == .anotherUser)
    world.provider.makeRight()
    #expect(try await signIn(authenticator).user.id == world.provider.user?.id)
  }

  private func signedIn() async throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(10))
    let manager = SessionManager(
      authenticator: try authenticator(), transport: world.transport, credentials: .manual,
      configuration: configuration, clock: world.clock)
    try await manager.signIn(with: .byHandler)
    world.clock.advance(by: .seconds(295))
    return manager
  }

  @Test(
    "OpenID-3: each wrong ID token of a renewal is dropped, and the session goes on",
    arguments: [
      .wrongIssuer, .wrongAudience, .missingAuthorizedParty, .wrongAuthorizedParty, .expiredIDToken, .futureIDToken,
      .missingExpiry, .missingIssueTime, .wrongNonce, .unsignedIDToken, .wrongSignature, .unknownKey,
      .publicKeyAsSecret, .encryptedIDToken, .repeatedClaim, .wrongAccessTokenHash, .missingSubject,
      .oldAuthentication,
    ] as [ProviderFault])
  func dropped(_ fault: ProviderFault) async throws {
    let manager = try await signedIn()
    let before = manager.current
    world.provider.makeWrong(fault)
    let session = try await manager.session()
    #expect(session.user == before?.user)
    #expect(session.proof.tokens["access_token"] != before?.proof.tokens["access_token"])
    #expect(session.proof.tokens["id_token"] == before?.proof.tokens["id_token"])
    #expect(manager.history.count { $0.kind == .partDropped } == 1)
  }

  @Test("OpenID-3: another user's ID token ends the session")
  func anotherUser() async throws {
    let manager = try await signedIn()
    world.provider.makeWrong(.changedSubject)
    #expect(await failure { try await manager.session() }?.code == .interactionRequired)
    #expect(manager.lastSignOut?.cause == .rejectedByServer)
  }

  @Test("OpenID-3: oidcc-client-test-signing-key-rotation-just-before-signing: a new key is found")
  func rotation() async throws {
    let manager = try await signedIn()
    try world.provider.rotateKeys(keepingOld: false)
    let session = try await manager.session()
    #expect(!manager.history.contains { $0.kind == .partDropped })
    #expect(session.proof.tokens["unjudged"] == nil)
  }
}
