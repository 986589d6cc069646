import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("What vendors' servers do otherwise", .timeLimit(.minutes(20)))
struct ServerPresetTests {
  private func client(_ document: VendorDocument) async throws -> OAuthClient {
    let server = DocumentServer()
    server.publish(.json(document.members), at: document.address)
    return try await OAuthClient(id: "app", issuer: document.issuer, in: server.directory).located()
  }

  private func page(
    _ document: VendorDocument, scope: String?, _ parameters: OAuthParameters = [:]
  ) async throws -> OAuthParameters {
    let client = try await client(document)
    return OAuthParameters(
      of: try AuthorizationRequest(
        client, redirectURI: OAuthStub.redirectURI, scope: scope, parameters: parameters
      ).url)
  }

  @Test(
    "FIND-32: each vendor's document is read, and its preset chosen by the issuer",
    arguments: VendorDocument.all.indices)
  func documents(_ index: Int) async throws {
    let document = VendorDocument.all[index]
    let client = try await client(document)
    #expect(client.preset?.name == document.vendor)
    #expect(client.metadata?.issuer == document.issuer)
    #expect(client.endpoints.token.absoluteString == document.members["token_endpoint"]?.string)
    #expect(client.endpoints.keys?.absoluteString == document.members["jwks_uri"]?.string)
  }

  @Test("FIND-32: each difference has a sentence and the vendor's page that tells of it")
  func sources() {
    #expect(
      ServerPreset.all.map(\.name) == [
        "Google", "Microsoft Entra ID", "Apple", "Okta", "Auth0", "Keycloak", "Amazon Cognito",
      ])
    for preset in ServerPreset.all {
      #expect(!preset.differences.isEmpty)
      for difference in preset.differences {
        #expect(difference.source.hasPrefix("https://") && difference.text.hasSuffix("."), "\(difference)")
      }
    }
  }

  @Test(
    "FIND-32: another vendor's issuer, and one that only looks like it, has no preset",
    arguments: [
      "https://as.example", "https://accounts.google.com/", "https://accounts.google.com.evil.test",
      "https://login.microsoftonline.com.evil.test/common/v2.0", "https://evilokta.com", "https://okta.com.evil.test",
      "https://appleid.apple.com/x", "https://s3.amazonaws.com/x", "https://cognito-idp.amazonaws.com", "", "x",
    ])
  func others(_ issuer: String) { #expect(ServerPreset.of(issuer) == nil) }

  @Test("FIND-32: a server without a preset works, and gets what the app says")
  func without() async throws {
    let server = DocumentServer()
    server.publish()
    let client = try await OAuthClient(id: "app", issuer: DocumentServer.issuer, in: server.directory).located()
    #expect(client.preset == nil && client.terminalRefusals == .standard)
    let request = try AuthorizationRequest(
      client, redirectURI: OAuthStub.redirectURI, scope: "openid offline_access name")
    let asked = OAuthParameters(of: request.url)
    #expect(asked["scope"] == "openid offline_access name" && asked["access_type"] == nil)
    #expect(asked["response_mode"] == nil && asked["prompt"] == nil)
  }

  // MARK: Google

  @Test("FIND-33: Google is asked for a refresh token by parameters; what the app says itself stays")
  func google() async throws {
    let asked = try await page(.google, scope: "openid offline_access email")
    #expect(asked["scope"] == "openid email" && asked["access_type"] == "offline" && asked["prompt"] == "consent")
    let own = try await page(.google, scope: "openid offline_access", ["prompt": "select_account"])
    #expect(own["prompt"] == "select_account" && own.values("prompt").count == 1)
    let online = try await page(.google, scope: "openid")
    #expect(online["access_type"] == nil && online["scope"] == "openid")
    #expect(try await client(.google).idTokens?.otherIssuerNames == ["accounts.google.com"])
    let server = DocumentServer()
    server.publish(.json(VendorDocument.google.members), at: VendorDocument.google.address)
    server.transport.on(.post, "/device/code") { _ in .status(.badRequest) }
    let client = try await OAuthClient(id: "app", issuer: VendorDocument.google.issuer, in: server.directory).located()
    let context = AuthenticationContext(transport: server.transport, clock: server.clock)
    _ = await failure { try await client.authorizeDevice(scope: "openid offline_access", in: context) }
    #expect(server.transport.requests.last?.form["scope"] == "openid")
  }

  // MARK: Entra

  static let tenant = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490"
  static let other = "82229342-1101-4ab6-817b-70c0747630f3"

  private static func issuer(_ tenant: String) -> String { "https://login.microsoftonline.com/\(tenant)/v2.0" }

  static let tokens: [(claims: [String: JSONValue], key: String?, isGood: Bool)] = [
    (["iss": .string(issuer(tenant)), "tid": .string(tenant)], nil, true),
    (["iss": .string(issuer(tenant)), "tid": .string(tenant)], issuer("{tenantid}"), true),
    (["iss": .string(issuer(tenant)), "tid": .string(tenant)], issuer(tenant), true),
    (["iss": .string(issuer(tenant)), "tid": .string(tenant)], issuer(other), false),
    (["iss": .string(issuer(tenant)), "tid": .string(other)], nil, false),
    (["iss": .string(issuer(tenant))], nil, false),
    (["iss": .string(issuer("{tenantid}")), "tid": .string(tenant)], nil, false),
    (["iss": .string(issuer("{tenantid}")), "tid": "{tenantid}"], nil, false),
    (["iss": .string(issuer("common")), "tid": "common"], nil, false),
    (["iss": .string("https://evil.test/\(tenant)/v2.0"), "tid": .string(tenant)], nil, false),
    (["iss": .string(issuer("a/\(tenant)")), "tid": .string("a/\(tenant)")], nil, false),
  ]

  @Test(
    "FIND-34: a token of one of many tenants names its own issuer, and its key is that tenant's or all's",
    arguments: tokens.indices)
  func tenants(_ index: Int) async throws {
    let (claims, keyIssuer, isGood) = Self.tokens[index]
    let server = DocumentServer()
    var members = VendorDocument.entra.members
    members["id_token_signing_alg_values_supported"] = .array(["ES256"])
    server.publish(.json(members), at: VendorDocument.entra.address)
    let key = try SigningKey.make(.es256, id: "k")
    var jwk = try #require(key.publicKey).members
    jwk["issuer"] = keyIssuer.map(JSONValue.string)
    server.publish(
      .json(["keys": .array([.object(jwk)])]), at: "https://login.microsoftonline.com/common/discovery/v2.0/keys")
    let nonce = Locked<String?>(nil)
    let clock = server.clock
    server.transport.on(.post, "/common/oauth2/v2.0/token") { _ in
      let now = Int64(clock.now.timeIntervalSince1970)
      var all = claims
      all.merge(["aud": "app", "sub": "ann", "iat": .integer(now), "exp": .integer(now + 300)]) { $1 }
      all["nonce"] = nonce.withLock { $0 }.map(JSONValue.string)
      return .json(["access_token": "a", "id_token": .string(try key.sign(all).reveal())])
    }
    let client = try OAuthClient(id: "app", issuer: VendorDocument.entra.issuer, in: server.directory)
    let flow = OAuthFlow.authorizationCode(
      in: ClosureUserAgent { request in
        nonce.withLock { $0 = request.nonce?.value.reveal() }
        return try request.callback(["code": "c"])
      }, redirectURI: OAuthStub.redirectURI, scope: "openid")
    let authenticator = try OAuthAuthenticator(server: OAuthStub.url("/"), client: client, flow: flow)
    let context = AuthenticationContext(transport: server.transport, clock: clock)
    let grant = try await authenticator.signIn(with: .byHandler, in: context)
    let error = await failure { try await authenticator.identify(grant, in: context) }
    #expect((error == nil) == isGood, "\(error as Any)")
    #expect(isGood || error?.code == .idTokenRefused)
    guard isGood else { return }
    // A process that has just begun goes on at what the sign-in was made with.
    let before = server.transport.count
    let fresh = ServerDirectory(transport: server.transport, clock: clock)
    let again = try OAuthAuthenticator(
      server: OAuthStub.url("/"), client: OAuthClient(id: "app", issuer: VendorDocument.entra.issuer, in: fresh))
    #expect(try await again.identify(grant, in: context).user.id == "ann")
    #expect(
      server.transport.requests.dropFirst(before).map(\.address) == [
        "https://login.microsoftonline.com/common/discovery/v2.0/keys"
      ])
  }

  @Test("FIND-34: a document may name a tenant's issuer for a name, and no other tenant's for a tenant")
  func aliases() async throws {
    for (asked, named, isGood) in [
      ("common", "{tenantid}", true), ("organizations", "{tenantid}", true), ("consumers", Self.tenant, true),
      ("contoso.onmicrosoft.com", Self.tenant, true), (Self.tenant, Self.tenant, true),
      (Self.tenant, Self.other, false),
      (Self.tenant, "{tenantid}", false), ("contoso.onmicrosoft.com", "{tenantid}", false),
      ("contoso.onmicrosoft.com", "fabrikam.com", false), ("common", "common", true),
    ] {
      let members: [String: JSONValue] = [
        "issuer": .string(Self.issuer(named)), "token_endpoint": "https://login.microsoftonline.com/t",
      ]
      let metadata = try? ServerMetadata(members: members, issuer: Self.issuer(asked))
      #expect((metadata != nil) == isGood, "\(asked) \(named)")
      #expect(metadata.map { $0.issuer == Self.issuer(asked) && $0.tokenIssuer == Self.issuer(named) } ?? true)
    }
    #expect((try? ServerMetadata(members: DocumentServer.metadata(), issuer: VendorDocument.entra.issuer)) == nil)
  }

  @Test(
    "FIND-34: a refusal that a sign-in does not mend ends no session",
    arguments: [
      ("message_only", false), ("additional_action", false), ("basic_action", true), ("consent_required", true),
      ("bad_token", true), ("user_password_expired", true), (nil, true),
    ] as [(String?, Bool)])
  func suberrors(_ suberror: String?, _ isTerminal: Bool) async throws {
    let server = DocumentServer()
    server.publish(.json(VendorDocument.entra.members), at: VendorDocument.entra.address)
    server.transport.on(.post, "/common/oauth2/v2.0/token") { _ in
      var members: [String: JSONValue] = ["error": "invalid_grant", "error_codes": .array([50_076])]
      members["suberror"] = suberror.map(JSONValue.string)
      return .json(members, status: .badRequest)
    }
    let context = AuthenticationContext(transport: server.transport, clock: server.clock)
    let client = try await OAuthClient(id: "app", issuer: VendorDocument.entra.issuer, in: server.directory).located()
    let error = await failure { try await client.refresh("r", in: context) }
    #expect((error?.disposition == .terminal) == isTerminal)
  }

  // MARK: Apple

  @Test(
    "FIND-35: Apple answers with a form where a name or an address is asked for (oidcc-client-test-form-post-error); the name comes once"
  )
  func apple() async throws {
    let asked = try await page(.apple, scope: "openid name email offline_access")
    #expect(asked["response_mode"] == "form_post" && asked["scope"] == "openid name email")
    #expect(try await page(.apple, scope: "openid")["response_mode"] == nil)
    let request = try AuthorizationRequest(
      try await client(.apple), redirectURI: OAuthStub.redirectURI, scope: "openid name")
    func form(_ pairs: [(name: String, value: String)]) -> Data { Data(FormEncoding.serialize(pairs).utf8) }
    let state = (name: "state", value: request.state.reveal())
    let user = #"{"name":{"firstName":"Ann","lastName":"Li"},"email":"a@b.test"}"#
    let answer = try request.check(form: form([state, ("code", "c=1&2"), ("user", user)]))
    #expect(answer.code == "c=1&2" && answer.unverifiedAppleName == "Ann Li")
    #expect(try request.check(form: form([state, ("code", "c")])).unverifiedAppleName == nil)
    #expect(try request.check(form: form([state, ("code", "c"), ("user", "{")])).unverifiedAppleName == nil)
    for wrong in [
      [("code", "c")], [("state", "x"), ("code", "c")],
      [("state", state.value), ("state", state.value), ("code", "c")], [],
    ] {
      let pairs = wrong.map { (name: $0.0, value: $0.1) }
      #expect(await failure { try request.check(form: form(pairs)) }?.code == .callbackRefused)
    }
    let refusal = await failure { try request.check(form: form([state, ("error", "user_cancelled_authorize")])) }
    #expect(refusal?.disposition == .terminal)
  }

  @Test("FIND-35: Apple's secret is a statement of the team's, made for each request")
  func appleSecret() async throws {
    let key = try SigningKey.make(.es256, id: "KEY1234567")
    let authentication = try ClientAuthentication.apple(key, team: "TEAM123456")
    let server = DocumentServer()
    server.publish(.json(VendorDocument.apple.members), at: VendorDocument.apple.address)
    let client = try await OAuthClient(
      id: "app.test", authentication: authentication, issuer: VendorDocument.apple.issuer, in: server.directory
    ).located()
    let context = AuthenticationContext(transport: server.transport, clock: server.clock)
    _ = await failure { try await client.refresh("r", in: context) }
    let form = try #require(server.transport.requests.last?.form)
    #expect(form["client_id"] == "app.test")
    let jwk = try #require(key.publicKey)
    let token = try TokenVerifier(algorithms: [.es256], type: .jwtOrAbsent, rules: []).verify(
      try #require(form["client_secret"]), with: KeySet([try VerificationKey(jwk)]), at: server.clock.now)
    let now = Int64(server.clock.now.timeIntervalSince1970)
    #expect(
      token.claims == [
        "iss": "TEAM123456", "sub": "app.test", "aud": "https://appleid.apple.com", "iat": .integer(now),
        "exp": .integer(now + 300),
      ])
    #expect(token.header.keyID == "KEY1234567")
    for wrong in [try SigningKey.make(.es256), try SigningKey.make(.edDSA, id: "k")] {
      #expect(await failure { try ClientAuthentication.apple(wrong, team: "T") }?.code == .invalidInput)
    }
    #expect(await failure { try ClientAuthentication.apple(key, team: "") }?.code == .invalidInput)
  }

  // MARK: Others

  @Test("FIND-36: Keycloak's \"Session not active\" ends a session; its offline_access stays a scope")
  func keycloak() async throws {
    #expect(try await page(.keycloak, scope: "openid offline_access")["scope"] == "openid offline_access")
    let server = DocumentServer()
    server.publish(.json(VendorDocument.keycloak.members), at: VendorDocument.keycloak.address)
    server.transport.on(.post, "/realms/main/protocol/openid-connect/token") { _ in
      .json(["error": "invalid_grant", "error_description": "Session not active"], status: .badRequest)
    }
    let context = AuthenticationContext(transport: server.transport, clock: server.clock)
    let client = try await OAuthClient(id: "app", issuer: VendorDocument.keycloak.issuer, in: server.directory)
      .located()
    #expect(await failure { try await client.refresh("r", in: context) }?.disposition == .terminal)
  }

  @Test("FIND-36: Auth0's issuer has its slash, and audience is the app's parameter")
  func auth0() async throws {
    let asked = try await page(.auth0, scope: "openid offline_access", ["audience": "https://api.test"])
    #expect(asked["audience"] == "https://api.test" && asked["scope"] == "openid offline_access")
    let server = DocumentServer()
    server.publish(.json(VendorDocument.auth0.members), at: VendorDocument.auth0.address)
    let bare = String(VendorDocument.auth0.issuer.dropLast())
    #expect(await failure { try await server.directory.metadata(of: bare) }?.code == .metadataUnusable)
  }

  @Test("FIND-36: Cognito's page that ends a sign-in has parameters of its own")
  func cognito() async throws {
    let client = try await client(.cognito)
    let back = try #require(URL(string: "https://app.test/bye"))
    let request = try LogoutRequest(client, idToken: "planted", returnURI: back)
    let shown = OAuthParameters(of: request.url)
    #expect(shown.all.map(\.name) == ["client_id", "logout_uri"] && shown["logout_uri"] == "https://app.test/bye")
    #expect(request.url.host() == "pool.auth.eu-west-1.amazoncognito.com" && request.state == nil)
    #expect(try await page(.cognito, scope: "openid offline_access")["scope"] == "openid")
  }
}
