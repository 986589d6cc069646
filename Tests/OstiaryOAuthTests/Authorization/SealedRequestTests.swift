import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiarySealing
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryOAuth

/// A server that is a relying party: one process sends the browser away, another gets the answer.
@Suite("OpenID-5: an authorization request in a cookie", .timeLimit(.minutes(20)))
struct SealedRequestTests {
  private let stub: OpenIDStub
  private let keys = SealingKeys(current: .random())

  init() throws { stub = try OpenIDStub() }

  private var now: Date { stub.oauth.clock.now }

  private func request(_ client: OAuthClient) throws -> AuthorizationRequest {
    try AuthorizationRequest(
      client, redirectURI: OAuthStub.redirectURI, scope: "openid",
      parameters: ["max_age": "600", "acr_values": "gold"])
  }

  @Test("OpenID-5: another process finishes it: state, code verifier, nonce and what was asked are the same")
  func wholeWay() async throws {
    let request = try request(stub.client())
    let cookie = try stub.client().sealed(request, with: keys, until: now + 600)
    #expect(cookie.utf8.count < 2000, "a cookie has room for it")
    // The browser comes back, to a process that has nothing but the cookie and the keys.
    let client = try stub.client()
    let opened = try client.authorizationRequest(sealed: cookie, with: keys, at: now + 599)
    #expect(opened.state == request.state && opened.pkce == request.pkce && opened.redirectURI == request.redirectURI)
    #expect(opened.nonce == request.nonce && opened.expectation == request.expectation)
    #expect(opened.issuer == request.issuer && opened.requiresIssuer == request.requiresIssuer)
    let response = try opened.check(request.callback(["code": "c"]))
    let seconds = Int64(now.timeIntervalSince1970)
    stub.state.withLock { $0.nonce = request.nonce?.value.reveal() }
    stub.change {
      $0["auth_time"] = .integer(seconds)
      $0["acr"] = "gold"
    }
    let tokens = try await client.tokens(for: response, to: opened, in: stub.oauth.context)
    let authenticator = try stub.authenticator(client)
    let manager = try stub.manager(authenticator, credentials: .manual)
    let session = try await manager.signIn(
      with: authenticator.grant(for: tokens, in: stub.oauth.context))
    #expect(session.user.id == "ann")
    let sent = stub.oauth.transport.requests.first { $0.form["code"] != nil }?.form
    #expect(sent?["code_verifier"] == request.pkce.verifier.reveal())
  }

  @Test("OpenID-5: what was asked is judged in the other process, too", arguments: ["nonce", "acr", "auth_time"])
  func judged(_ claim: String) async throws {
    let client = try stub.client()
    let request = try request(client)
    let cookie = try client.sealed(request, with: keys, until: now + 600)
    let opened = try client.authorizationRequest(sealed: cookie, with: keys, at: now)
    let seconds = Int64(now.timeIntervalSince1970)
    stub.state.withLock { $0.nonce = request.nonce?.value.reveal() }
    stub.change {
      $0["auth_time"] = .integer(seconds)
      $0["acr"] = "gold"
      $0[claim] = nil
    }
    let response = try opened.check(request.callback(["code": "c"]))
    let tokens = try await client.tokens(for: response, to: opened, in: stub.oauth.context)
    let authenticator = try stub.authenticator(client)
    let error = await failure {
      let grant = try await authenticator.grant(for: tokens, in: stub.oauth.context)
      return try await authenticator.identify(grant, in: stub.oauth.context)
    }
    #expect(error?.code == .idTokenRefused)
  }

  @Test("OpenID-5: an older key opens what it has sealed; a key that is gone does not")
  func rotation() throws {
    let client = try stub.client()
    let cookie = try client.sealed(request(client), with: keys, until: now + 600)
    let newer = SealingKeys(current: .random(), older: [keys.current])
    _ = try client.authorizationRequest(sealed: cookie, with: newer, at: now)
    #expect(throws: OstiaryError(.callbackRefused, "")) {
      try client.authorizationRequest(sealed: cookie, with: SealingKeys(current: .random()), at: now)
    }
  }

  @Test("OpenID-5: changed, cut, empty, another client's, another server's and too late: each is refused")
  func refused() throws {
    let client = try stub.client()
    let request = try request(client)
    let cookie = try client.sealed(request, with: keys, until: now + 600)
    let endpoints = client.endpoints
    let otherClient = try OAuthClient(id: "other", endpoints: endpoints)
    var elsewhere = endpoints
    elsewhere.issuer = "https://other.test"
    let otherServer = try OAuthClient(id: "app", endpoints: elsewhere)
    var bytes = try #require(StrictBase64URL.decode(cookie))
    bytes[bytes.count / 2] ^= 1
    let tries: [(String, OAuthClient, Date)] = [
      (StrictBase64URL.encode(bytes), client, now), (String(cookie.dropLast(8)), client, now), ("", client, now),
      (String(repeating: "A", count: 20_000), client, now), (cookie + "=", client, now), (cookie, otherClient, now),
      (cookie, otherServer, now), (cookie, client, now + 600),
    ]
    for (index, (text, client, now)) in tries.enumerated() {
      #expect(throws: OstiaryError(.callbackRefused, ""), "\(index)") {
        try client.authorizationRequest(sealed: text, with: keys, at: now)
      }
    }
    for secret in [request.state, request.pkce.verifier] { #expect(!cookie.contains(secret.reveal())) }
  }
}
