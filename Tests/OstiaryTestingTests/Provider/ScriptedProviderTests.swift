import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import Testing

@Suite struct ScriptedProviderTests {
  @Test("KIT-01 A session manager signs in, renews and signs out at the provider, without a browser")
  func wholeLife() async throws {
    let visitor = try ProviderVisitor()
    let provider = visitor.provider
    let client = try OAuthClient(
      id: "app",
      endpoints: OAuthEndpoints(
        token: provider.address(of: .token), authorization: provider.address(of: .authorization),
        revocation: provider.address(of: .revocation), userInfo: provider.address(of: .userInfo),
        issuer: provider.settings.issuer))
    let redirectURI = try #require(URL(string: ProviderVisitor.redirectURI))
    let authenticator = try OAuthAuthenticator(
      server: provider.address(of: .resource), client: client,
      flow: .authorizationCode(
        in: ClosureUserAgent { request in try provider.visit(request.url) }, redirectURI: redirectURI,
        scope: "openid offline_access"))
    let manager = SessionManager(
      authenticator: authenticator, transport: visitor.transport, credentials: .byHandler, clock: visitor.clock)
    let http = AuthenticatedTransport(manager)
    let orders = provider.address(of: .resource).appending(path: "orders")
    #expect(try await http.get(orders).members["user"] == "ann")
    visitor.clock.advance(by: .seconds(400))
    #expect(try await http.get(orders).status == .ok)
    let counts = provider.counts
    #expect(counts.signIns == 1)
    #expect(counts.renewals == 1)
    #expect(counts.executed == 2)
    #expect(counts[.authorization] == 1)
    #expect(counts[.token] == 2)
    #expect(provider.signedInUsers == ["ann"])
    await manager.signOut()
    #expect(provider.signedInUsers.isEmpty)
  }

  @Test("KIT-02 Both documents name the endpoints, each at its place, also below an issuer with a path")
  func metadata() async throws {
    var settings = ProviderSettings()
    settings.issuer = "https://provider.example/tenants/one/"
    settings.cacheControl = "max-age=60"
    let visitor = try ProviderVisitor(settings)
    let openID = try #require(
      URL(string: "https://provider.example/tenants/one/.well-known/openid-configuration"))
    let server = try #require(
      URL(string: "https://provider.example/.well-known/oauth-authorization-server/tenants/one"))
    for url in [openID, server] {
      let answer = try await visitor.get(url)
      #expect(answer.members["issuer"] == .string(settings.issuer))
      #expect(answer.members["token_endpoint"] == "https://provider.example/tenants/one/token")
      #expect(answer.head.headerFields[.cacheControl] == "max-age=60")
      let tag = try #require(answer.head.headerFields[.eTag])
      let again = try await visitor.get(url, fields: [.ifNoneMatch: tag])
      #expect(again.status == .notModified)
      #expect(again.body.isEmpty)
    }
    visitor.provider.settings.documents = [.serverMetadata]
    #expect(try await visitor.get(openID).status == .notFound)
    #expect(try await visitor.get(server).status == .ok)
    let elsewhere = try #require(URL(string: "https://provider.example/elsewhere"))
    #expect(try await visitor.get(elsewhere).status == .notFound)
  }

  @Test("KIT-03 ID tokens and keys are real, for every algorithm", arguments: ["ES256", "RS256", "EdDSA"])
  func algorithms(_ name: String) async throws {
    let algorithm = try #require(SignatureAlgorithm(name: name))
    let visitor = try ProviderVisitor(signingWith: algorithm)
    let before = try await visitor.signIn()
    #expect(try await visitor.refusal(before) == nil)
    try visitor.provider.rotateKeys()
    let after = try await visitor.signIn()
    #expect(try await visitor.refusal(before) == nil)
    #expect(try await visitor.refusal(after) == nil)
    try visitor.provider.rotateKeys(keepingOld: false)
    #expect(try await visitor.refusal(after) == .unknownKey)
  }

  @Test("KIT-04 The same seed makes the same keys, codes and tokens; another makes others")
  func seeds() async throws {
    let names = try await [UInt64(1), 1, 2].asyncMap { seed in
      let provider = try ScriptedProvider(clock: ManualClock(), seed: seed)
      let keys = try await provider.transport().get(provider.address(of: .keys)).text
      let device = try await provider.transport().send(
        .post(
          provider.address(of: .deviceAuthorization), body: Data("client_id=app".utf8),
          contentType: FormEncoding.mediaType))
      return [keys, device.members["device_code"]?.string ?? ""]
    }
    #expect(names[0] == names[1])
    #expect(names[0][0] != names[2][0])
    #expect(names[0][1] != names[2][1])
  }

  @Test("KIT-05 A code needs its verifier, its redirect URI, its client and its time, and is good once")
  func codes() async throws {
    let visitor = try ProviderVisitor()
    visitor.provider.settings.clients.append(ProviderClient(id: "other"))
    for more in [[("code_verifier", "x")], [("redirect_uri", "https://app.example/")], [("client_id", "other")]] {
      let refused = try await visitor.exchange(visitor.callback()["code"], more)
      #expect(refused.error == "invalid_grant", "\(more)")
    }
    let late = try visitor.callback()["code"]
    visitor.clock.advance(by: .seconds(61))
    #expect(try await visitor.exchange(late).error == "invalid_grant")
    let code = try visitor.callback()["code"]
    let answer = try await visitor.exchange(code).members
    #expect(try await visitor.use(answer["access_token"]).status == .ok)
    #expect(try await visitor.exchange(code).error == "invalid_grant")
    // What was given for a code that is shown twice may be a thief's (RFC 6749 §4.1.2).
    #expect(try await visitor.use(answer["access_token"]).status == .unauthorized)
  }

  @Test("KIT-06 The page sends the user back with state and issuer, whatever the user says")
  func callbacks() async throws {
    let visitor = try ProviderVisitor()
    let accepted = try visitor.callback()
    #expect(accepted["state"] == "s")
    #expect(accepted["iss"] == visitor.provider.settings.issuer)
    visitor.provider.user = nil
    let declined = try visitor.callback()
    #expect(declined["error"] == "access_denied")
    #expect(declined["state"] == "s")
    #expect(declined["iss"] == visitor.provider.settings.issuer)
    #expect(try visitor.callback([("prompt", "none")])["error"] == "login_required")
    visitor.provider.user = ProviderUser(id: "ann")
    visitor.provider.settings.namesIssuerInCallbacks = false
    #expect(try visitor.callback()["iss"] == nil)
    #expect(try visitor.callback([("code_challenge", "")])["error"] == "invalid_request")
    #expect(try visitor.callback([("response_type", "token")])["error"] == "unsupported_response_type")
    #expect(try visitor.callback([("resource", "https://other.example/")])["error"] == "invalid_target")
    let fragment = try visitor.provider.visit(visitor.page([("response_mode", "fragment")]))
    #expect(fragment.query() == nil)
    #expect(ProviderVisitor.parameters(of: fragment)["code"] != nil)
  }

  @Test("KIT-07 A page that can't trust the address to go back to shows an error")
  func errorPages() async throws {
    var settings = ProviderSettings()
    settings.clients = [ProviderClient(redirectURIs: [ProviderVisitor.redirectURI, "http://127.0.0.1/callback"])]
    let visitor = try ProviderVisitor(settings)
    #expect(try visitor.callback([("redirect_uri", "http://127.0.0.1:5123/callback")])["code"] != nil)
    let pages = [
      [("redirect_uri", "https://app.example/other")], [("redirect_uri", "http://127.0.0.1:5123/other")],
      [("client_id", "unknown")], [("redirect_uri", "")], [("request_uri", "urn:unknown")],
    ]
    for parameters in pages {
      #expect(throws: OstiaryError(.invalidRequest, ""), "\(parameters)") {
        try visitor.callback(parameters)
      }
    }
    let twice = try #require(URL(string: visitor.page().absoluteString + "&scope=more"))
    #expect(throws: OstiaryError(.invalidRequest, "")) { try visitor.provider.visit(twice) }
    let nowhere = visitor.provider.address(of: .token)
    #expect(throws: OstiaryError(.invalidRequest, "")) { try visitor.provider.visit(nowhere) }
  }

  @Test("KIT-08 max_age and prompt=login make the user sign in anew, acr_values how strongly")
  func strength() async throws {
    let visitor = try ProviderVisitor()
    let began = visitor.clock.now.timeIntervalSince1970
    _ = try await visitor.signIn()
    visitor.clock.advance(by: .seconds(100))
    let usual = try visitor.claims(await visitor.signIn([("max_age", "200")]))
    #expect(usual["auth_time"]?.double == began)
    #expect(usual["acr"] == "1")
    let strong = try visitor.claims(await visitor.signIn([("max_age", "50"), ("acr_values", "2 1")]))
    #expect(strong["auth_time"]?.double == began + 100)
    #expect(strong["acr"] == "2")
    visitor.clock.advance(by: .seconds(10))
    let asked = try visitor.claims(await visitor.signIn([("prompt", "login")]))
    #expect(asked["auth_time"]?.double == began + 110)
  }
}

extension Array where Element: Sendable {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
