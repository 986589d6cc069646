import Foundation
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import Testing

@Suite struct CallbackIssuerTests {
  @Test("Issue 18 §4: where the metadata promise the issuer, a callback without it is refused (RFC 9207 §2.4)")
  func promised() async throws {
    let world = try ProviderWorld()
    let client = try await world.clientOfMetadata()
    try await world.signIn(client)
    world.provider.makeWrong(.missingIss)
    await #expect(throws: OstiaryError(.callbackRefused, "")) { try await world.signIn(client) }
    // A refusal that another server could have sent is none.
    world.provider.user = nil
    await #expect(throws: OstiaryError(.callbackRefused, "")) { try await world.signIn(client) }
    world.provider.makeRight()
    await #expect(throws: OstiaryError(.interactionCancelled, "")) { try await world.signIn(client) }
    #expect(world.provider.counts[.token] == 1)
  }

  @Test("Issue 18 §4: without a promise a callback need not name the issuer, unless the program demands it")
  func notPromised() async throws {
    var settings = ProviderSettings()
    settings.namesIssuerInCallbacks = false
    let world = try ProviderWorld(settings)
    var client = try await world.clientOfMetadata()
    try await world.signIn(client)
    client.requiresIssuerInCallback = true
    await #expect(throws: OstiaryError(.callbackRefused, "")) { try await world.signIn(client) }
    var given = try world.client()
    try await world.signIn(given)
    given.requiresIssuerInCallback = true
    await #expect(throws: OstiaryError(.callbackRefused, "")) { try await world.signIn(given) }
  }

  @Test("Issue 18 §4: another issuer in a callback is refused, also one that only looks the same")
  func another() async throws {
    let world = try ProviderWorld()
    let client = try world.client()
    world.provider.makeWrong(.wrongIss)
    await #expect(throws: OstiaryError(.callbackRefused, "")) { try await world.signIn(client) }
    var endpoints = OAuthEndpoints(
      token: world.provider.address(of: .token), authorization: world.provider.address(of: .authorization))
    endpoints.issuer = "https://as.example/\u{E9}"
    let request = try AuthorizationRequest(
      OAuthClient(id: "app", endpoints: endpoints), redirectURI: ProviderWorld.redirectURI)
    _ = try request.check(request.callback(["code": "c", "iss": "https://as.example/\u{E9}"]))
    #expect(throws: OstiaryError(.callbackRefused, "")) {
      try request.check(request.callback(["code": "c", "iss": "https://as.example/e\u{301}"]))
    }
  }

  @Test("Issue 18 §4: a promised issuer that is empty is none")
  func empty() throws {
    let world = try ProviderWorld()
    var client = try OAuthClient(
      id: "app",
      endpoints: OAuthEndpoints(
        token: world.provider.address(of: .token), authorization: world.provider.address(of: .authorization)))
    client.requiresIssuerInCallback = true
    let request = try AuthorizationRequest(client, redirectURI: ProviderWorld.redirectURI)
    #expect(throws: OstiaryError(.callbackRefused, "")) {
      try request.check(request.callback(["code": "c", "iss": ""]))
    }
    _ = try request.check(request.callback(["code": "c", "iss": "https://as.example"]))
  }
}
