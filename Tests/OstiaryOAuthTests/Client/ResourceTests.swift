import Foundation
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import Testing

@Suite struct ResourceTests {
  private static let both = ["https://api.example/", "https://files.example/v1"]

  private func world() throws -> ProviderWorld {
    var settings = ProviderSettings()
    settings.resources = Self.both
    return try ProviderWorld(settings)
  }

  @Test(
    "Issue 18 §4: resources are named at the page, for the tokens and at each renewal, several of them (RFC 8707 §2)")
  func everywhere() async throws {
    let world = try world()
    var client = try world.client(pushing: false)
    client.resources = Self.both
    let grant = try await world.signIn(client)
    #expect(OAuthParameters(of: try #require(world.pages.withLock { $0 }.first)).values("resource") == Self.both)
    let token = try #require(grant.proof.tokens[OAuthAuthenticator.refreshToken])
    _ = try await client.refresh(token, in: world.context)
    #expect(world.forms(.token).map { $0.values("resource") } == [Self.both, Self.both])
    _ = try await client.authorizeDevice(in: world.context)
    #expect(world.forms(.deviceAuthorization).map { $0.values("resource") } == [Self.both])
    try await world.signIn(world.client())
    #expect(world.forms(.pushedAuthorization).map { $0.values("resource") } == [[]])
  }

  @Test("Issue 18 §4: what a request names itself takes the place of the client's resources")
  func own() async throws {
    let world = try world()
    var client = try world.client()
    client.resources = Self.both
    let grant = try await world.signIn(client)
    #expect(world.forms(.pushedAuthorization).map { $0.values("resource") } == [Self.both])
    let token = try #require(grant.proof.tokens[OAuthAuthenticator.refreshToken])
    _ = try await client.refresh(token, parameters: ["resource": Self.both[1]], in: world.context)
    #expect(world.forms(.token).last?.values("resource") == [Self.both[1]])
    #expect(world.forms(.token).last?.values("grant_type") == ["refresh_token"])
  }

  @Test(
    "Issue 18 §4: a resource is an absolute URI without a fragment (RFC 8707 §2)",
    arguments: ["", "api", "/api", "//api.example/", "https://api.example/#part"])
  func unusable(_ resource: String) async throws {
    let world = try world()
    var client = try world.client()
    client.resources = [Self.both[0], resource]
    await #expect(throws: OstiaryError(.invalidInput, "")) { try await world.signIn(client) }
    await #expect(throws: OstiaryError(.invalidInput, "")) { try await client.refresh("r", in: world.context) }
    #expect(world.transport.count == 0)
  }

  @Test("Issue 18 §4: resources and audiences may be repeated, what a request has already may not (RFC 6749 §3.1)")
  func repetition() throws {
    let world = try world()
    let client = try world.client()
    let extras = OAuthParameters([
      .init("resource", "https://a.example/"), .init("resource", "https://b.example/"), .init("audience", "a"),
      .init("audience", "b"),
    ])
    let request = try AuthorizationRequest(client, redirectURI: ProviderWorld.redirectURI, parameters: extras)
    let shown = OAuthParameters(of: request.url)
    #expect(shown.values("resource") == ["https://a.example/", "https://b.example/"])
    #expect(shown.values("audience") == ["a", "b"])
    for name in ["state", "client_id", "redirect_uri", "code_challenge"] {
      #expect(throws: OstiaryError(.invalidInput, "")) {
        try AuthorizationRequest(client, redirectURI: ProviderWorld.redirectURI, parameters: .init([.init(name, "x")]))
      }
    }
  }
}
