import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// The relying party's cases of the OpenID Foundation's suites for OpenID Connect that are about no single rule: the others are named where the
/// rules are tested.
@Suite("OpenID Connect: a relying party's cases", .timeLimit(.minutes(20)))
struct OpenIDConformanceTests {
  private func authenticator(
    _ world: ProviderWorld, _ client: OAuthClient, scope: String = "openid offline_access"
  ) throws -> OAuthAuthenticator {
    try OAuthAuthenticator(
      server: world.provider.address(of: .resource), client: client,
      flow: .authorizationCode(in: world.browser, redirectURI: ProviderWorld.redirectURI, scope: scope))
  }

  private func issuerClient(
    _ world: ProviderWorld, _ authentication: ClientAuthentication = .none
  ) throws -> OAuthClient {
    let directory = ServerDirectory(transport: world.transport, clock: world.clock)
    return try OAuthClient(
      id: "app", authentication: authentication, issuer: world.provider.settings.issuer, in: directory)
  }

  private func signIn(_ world: ProviderWorld, _ authenticator: OAuthAuthenticator) async throws -> SessionGrant {
    let grant = try await authenticator.signIn(with: .byHandler, in: world.context)
    return try await authenticator.identify(grant, in: world.context)
  }

  @Test("oidcc-client-test-client-secret-basic: the secret goes in a Basic field")
  func secretBasic() async throws {
    var settings = ProviderSettings()
    settings.clients = [ProviderClient(secret: "secret")]
    let world = try ProviderWorld(settings)
    let grant = try await signIn(world, authenticator(world, issuerClient(world, .secretBasic("secret"))))
    #expect(grant.user.id == world.provider.user?.id)
    let path = world.provider.address(of: .token).path()
    let request = try #require(world.transport.requests.last { $0.head.path == path })
    #expect(request.head.headerFields[.authorization]?.hasPrefix("Basic ") == true)
    #expect(request.form["client_secret"] == nil)
  }

  @Test("oidcc-client-test-userinfo-bearer-header, oidcc-client-test-scope-userinfo-claims: userinfo, and its token")
  func userInfo() async throws {
    let world = try ProviderWorld()
    var authenticator = try authenticator(world, issuerClient(world), scope: "openid profile")
    authenticator.identity = .userInfo
    let grant = try await signIn(world, authenticator)
    #expect(grant.user.displayName == world.provider.user?.name)
    let path = world.provider.address(of: .userInfo).path()
    let request = try #require(world.transport.requests.last { $0.head.path == path })
    #expect(request.head.headerFields[.authorization]?.hasPrefix("Bearer ") == true)
    #expect(request.head.path?.contains("?") == false && request.body == nil)
  }

  @Test(
    "oidcc-client-test-aggregated-claims, oidcc-client-test-distributed-claims: what stands elsewhere is not asked for"
  )
  func claimsElsewhere() async throws {
    let stub = OAuthStub(hasUserInfo: true)
    let sources: JSONValue = .object([
      "one": .object(["JWT": "e30.e30.e30"]), "two": .object(["endpoint": "https://other.test/claims"]),
    ])
    stub.transport.on(.get, "/userinfo") { _ in
      .json(["sub": "u1", "_claim_names": .object(["phone": "one", "address": "two"]), "_claim_sources": sources])
    }
    let members = try await stub.client().userInfo(with: "a", in: stub.context)
    #expect(members["_claim_sources"] == sources)
    #expect(stub.transport.count == 1, "no other server is asked")
  }

  @Test("oidcc-client-test-dynamic-registration: a client that registers itself signs in")
  func registration() async throws {
    let world = try ProviderWorld()
    let directory = ServerDirectory(transport: world.transport, clock: world.clock)
    let registration = try await directory.register(
      ClientDescription(redirectURIs: [ProviderWorld.redirectURI.absoluteString]), at: world.provider.settings.issuer)
    let client = try OAuthClient(registration, in: directory)
    #expect(try await signIn(world, authenticator(world, client)).user.id == world.provider.user?.id)
  }

  @Test("oidcc-client-test-rp-init-logout: the page is asked with the ID token, and its answer is believed")
  func logout() throws {
    let request = try logoutRequest()
    #expect(request.url.query()?.contains("id_token_hint=token") == true)
    try request.check(#require(URL(string: "https://app.example/bye?state=s")))
  }

  @Test(
    "oidcc-client-test-rp-init-logout-other-state, oidcc-client-test-rp-init-logout-no-state: another state, and none",
    arguments: ["?state=t", ""])
  func logoutState(_ query: String) throws {
    let request = try logoutRequest()
    let callback = try #require(URL(string: "https://app.example/bye" + query))
    #expect(throws: OstiaryError(.callbackRefused, "")) { try request.check(callback) }
  }

  private func logoutRequest() throws -> LogoutRequest {
    try LogoutRequest(
      ProviderWorld().client(), idToken: "token", returnURI: URL(string: "https://app.example/bye"), state: "s")
  }
}
