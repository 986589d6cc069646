import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// The relying party's cases of the OpenID Foundation's FAPI 2 suite, by its names without `security-profile-final-client-test-`: a client
/// that signs who it is, pushed requests, tokens that are bound to a key, and a provider that is wrong in one way.
@Suite("FAPI 2: a relying party's cases", .timeLimit(.minutes(20)))
struct FAPI2ConformanceTests {
  private let world: ProviderWorld
  private let key: SigningKey

  init() throws {
    let key = try SigningKey.make(.es256)
    self.key = key
    var settings = ProviderSettings()
    settings.clients = [ProviderClient(key: key.publicKey)]
    settings.requiresPushedRequests = true
    settings.requiresProofs = true
    settings.nonces = .eachAnswer
    world = try ProviderWorld(settings)
  }

  private func manager() throws -> SessionManager {
    let directory = ServerDirectory(transport: world.transport, clock: world.clock)
    var client = try OAuthClient(
      id: "app", authentication: .privateKeyJWT(key), issuer: world.provider.settings.issuer, in: directory)
    client.dpop = DPoP()
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(10))
    return SessionManager(
      authenticator: try world.authenticator(client, scope: "openid offline_access"), transport: world.transport,
      credentials: .byHandler, configuration: configuration, clock: world.clock)
  }

  private func get(_ manager: SessionManager) async throws -> HTTPResponse.Status {
    try await AuthenticatedTransport(manager).get(world.provider.address(of: .resource)).status
  }

  @Test("fapi2-happy-path: sign-in, request and renewal, with nonces for the proofs")
  func happyPath() async throws {
    let manager = try manager()
    #expect(try await get(manager) == .ok)
    world.clock.advance(by: .seconds(295))
    #expect(try await get(manager) == .ok)
    #expect(world.provider.counts.renewals == 1)
  }

  @Test("fapi2-happy-path-no-dpop-nonce: the same without nonces")
  func withoutNonces() async throws {
    world.provider.settings.nonces = .none
    #expect(try await get(manager()) == .ok)
    #expect(world.provider.counts.demandedNonces == 0)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let fault: ProviderFault
    let code: OstiaryError.Code
    var testDescription: String { name }

    init(_ name: String, _ fault: ProviderFault, _ code: OstiaryError.Code = .idTokenRefused) {
      self.name = name
      self.fault = fault
      self.code = code
    }
  }

  static let refused: [Case] = [
    Case("fapi2-invalid-iss", .wrongIssuer),
    Case("fapi2-invalid-aud", .wrongAudience),
    Case("fapi2-invalid-secondary-aud", .missingAuthorizedParty),
    Case("fapi2-invalid-expired-exp", .expiredIDToken),
    Case("fapi2-invalid-missing-exp", .missingExpiry),
    Case("fapi2-invalid-nonce", .wrongNonce),
    Case("fapi2-invalid-missing-nonce", .missingNonce),
    Case("fapi2-invalid-null-alg", .unsignedIDToken),
    Case("fapi2-invalid-alternate-alg", .publicKeyAsSecret),
    Case("invalid signature", .wrongSignature),
    Case("fapi2-remove-authorization-response-iss", .missingIss, .callbackRefused),
    Case("fapi2-invalid-authorization-response-iss", .wrongIss, .callbackRefused),
    Case("fapi2-ensure-authorization-response-with-invalid-state-fails", .wrongState, .callbackRefused),
    Case("fapi2-discovery-issuer-mismatch", .metadataOfAnotherIssuer, .metadataUnusable),
  ]

  @Test("fapi2: what is wrong in one way refuses the sign-in, and no request goes to the API", arguments: refused)
  func isRefused(_ one: Case) async throws {
    let manager = try manager()
    world.provider.makeWrong(one.fault)
    #expect(await failure { try await get(manager) }?.code == one.code)
    #expect(world.provider.counts[.resource] == 0)
    #expect(manager.current == nil)
  }

  @Test("fapi2-ensure-authorization-response-with-invalid-missing-state-fails: a callback without a state")
  func missingState() throws {
    let request = try AuthorizationRequest(world.client(pushing: false), redirectURI: ProviderWorld.redirectURI)
    let bare = try #require(URL(string: "https://app.example/callback?code=c&iss=https%3A%2F%2Fprovider.example"))
    #expect(throws: OstiaryError(.callbackRefused, "")) { try request.check(bare) }
  }

  @Test(
    "an answer without a scope is read as it is meant, and the type of bearer tokens without regard to case",
    arguments: ["Bearer", "bearer", "BEARER"])
  func tokenType(_ type: String) async throws {
    let stub = OAuthStub()
    stub.answer { _ in .json(["access_token": "a", "token_type": .string(type)]) }
    let tokens = try await stub.client().tokens(forGrant: "g", parameters: [:], in: stub.context)
    #expect(tokens.scope == nil && tokens.accessToken == "a")
  }

  @Test("fapi2-token-endpoint-response-without-expires_in: a token whose end is not said is used until it is refused")
  func withoutExpiry() async throws {
    world.provider.makeWrong(.noExpiresIn)
    let manager = try manager()
    #expect(try await get(manager) == .ok)
    #expect(manager.current?.expiresAt == nil)
  }
}
