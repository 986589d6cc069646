import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import Testing

@Suite struct PushedRequestTests {
  @Test(
    "Issue 18 §4: where the server takes pushed requests, the page names the client and the request, and nothing else")
  func page() async throws {
    let world = try ProviderWorld()
    try await world.signIn(world.client())
    let page = try #require(world.pages.withLock { $0 }.first)
    let shown = OAuthParameters(of: page)
    #expect(shown.all.map(\.name) == ["client_id", "request_uri"])
    #expect(shown["client_id"] == "app")
    let pushed = try #require(world.forms(.pushedAuthorization).first)
    #expect(pushed["redirect_uri"] == ProviderWorld.redirectURI.absoluteString)
    #expect(pushed["scope"] == "offline_access")
    #expect(pushed["state"]?.isEmpty == false)
    #expect(world.provider.counts.signIns == 1)
  }

  @Test("Issue 18 §4: 200 is an answer to a pushed request, too")
  func ok() async throws {
    let world = try ProviderWorld()
    world.provider.makeWrong(.okToPushedRequest)
    try await world.signIn(world.client())
    #expect(world.provider.counts.signIns == 1)
  }

  @Test("Issue 18 §4: a request stays in the address where the server takes no others, or the program wants it so")
  func notPushed() async throws {
    let world = try ProviderWorld()
    var client = try world.client()
    client.pushesAuthorizationRequests = false
    try await world.signIn(client)
    try await world.signIn(world.client(pushing: false))
    #expect(world.provider.counts[.pushedAuthorization] == 0)
    #expect(world.provider.counts.signIns == 2)
    #expect(world.pages.withLock { $0 }.allSatisfy { OAuthParameters(of: $0)["state"] != nil })
  }

  @Test("Issue 18 §4: a server that demands pushed requests gets them, whatever the program wants (RFC 9126 §5)")
  func demanded() async throws {
    var settings = ProviderSettings()
    settings.requiresPushedRequests = true
    let world = try ProviderWorld(settings)
    var client = try await world.clientOfMetadata()
    client.pushesAuthorizationRequests = false
    try await world.signIn(client)
    #expect(world.provider.counts[.pushedAuthorization] == 1)
    let without = try await world.clientOfMetadata(leavingOut: ["pushed_authorization_request_endpoint"])
    await #expect(throws: OstiaryError(.invalidInput, "")) { try await world.signIn(without) }
    #expect(world.pages.withLock { $0.count } == 1)
  }

  @Test(
    "Issue 18 §4: a pushed request names its client once, in whichever way that proves itself (RFC 9126 §2.1)",
    arguments: ["none", "basic", "post"])
  func clientNamedOnce(_ method: String) async throws {
    let secret: Secret? = method == "none" ? nil : "a-secret"
    var settings = ProviderSettings()
    settings.clients = [ProviderClient(secret: secret)]
    let world = try ProviderWorld(settings)
    let authentication: ClientAuthentication =
      switch (method, secret) {
      case ("basic", let secret?): .secretBasic(secret)
      case ("post", let secret?): .secretPost(secret)
      default: .none
      }
    try await world.signIn(world.client(authentication))
    #expect(world.forms(.pushedAuthorization).map { $0.values("client_id") } == [["app"]])
    #expect(world.provider.counts.signIns == 1)
  }

  @Test("Issue 18 §4: an answer that comes when its address has expired is asked for again")
  func late() async throws {
    var settings = ProviderSettings()
    settings.requestURILifetime = .seconds(10)
    settings.lateness = .seconds(10)
    let world = try ProviderWorld(settings)
    world.provider.makeWrong(.lateAnswer, at: .pushedAuthorization, times: 1)
    let signIn = Task { try await world.signIn(world.client()).proof.tokens.isEmpty }
    try await world.clock.waitForSleepers()
    world.clock.advance(by: .seconds(10))
    #expect(try await !signIn.value)
    #expect(world.provider.counts[.pushedAuthorization] == 2)
    #expect(world.pages.withLock { $0.count } == 1)
  }

  @Test("Issue 18 §4: addresses that have always expired are asked for three times, and no page is shown")
  func alwaysExpired() async throws {
    var settings = ProviderSettings()
    settings.requestURILifetime = .zero
    let world = try ProviderWorld(settings)
    await #expect(throws: OstiaryError(.serverUnavailable, "")) { try await world.signIn(world.client()) }
    #expect(world.provider.counts[.pushedAuthorization] == 3)
    #expect(world.pages.withLock { $0.isEmpty })
  }

  @Test("Issue 18 §4: a pushed request that the server refuses shows no page, and says what is wrong")
  func refused() async throws {
    var settings = ProviderSettings()
    settings.clients = [ProviderClient(redirectURIs: ["https://app.example/other"])]
    let world = try ProviderWorld(settings)
    await #expect(throws: OstiaryError(.clientRefused, "")) { try await world.signIn(world.client()) }
    #expect(world.provider.counts[.pushedAuthorization] == 1)
    #expect(world.pages.withLock { $0.isEmpty })
  }

  @Test(
    "Issue 18 §4: an answer to a pushed request that names no address is none",
    arguments: [
      "{}", #"{"request_uri": ""}"#, #"{"request_uri": 7, "expires_in": 60}"#, #"{"request_uri": "urn:a b"}"#, "[]", "",
      "<html></html>",
    ])
  func unusable(_ body: String) async throws {
    let world = try ProviderWorld()
    world.transport.on(.post, "/par") { _ in
      TransportResponse(HTTPResponse(status: .created), body: Data(body.utf8))
    }
    await #expect(throws: OstiaryError(.unexpectedResponse, "")) { try await world.signIn(world.client()) }
    world.transport.on(.post, "/par") { _ in
      .json(["request_uri": .string("urn:" + String(repeating: "a", count: 4096)), "expires_in": 60])
    }
    await #expect(throws: OstiaryError(.unexpectedResponse, "")) { try await world.signIn(world.client()) }
    #expect(world.pages.withLock { $0.isEmpty })
  }

  @Test("Issue 18 §4: neither the state nor the verifier comes back in the server's words about a pushed request")
  func secrets() async throws {
    let world = try ProviderWorld()
    world.transport.on(.post, "/par") { request in
      .json(
        [
          "error": "invalid_request", "error_description": .string("state=" + (request.form["state"] ?? "")),
        ], status: .badRequest)
    }
    let error = await #expect(throws: OstiaryError.self) { try await world.signIn(world.client()) }
    let state = try #require(world.forms(.pushedAuthorization).first?["state"])
    #expect(error?.message.contains("state=") == true)
    #expect(error?.message.contains(state) == false)
  }
}
