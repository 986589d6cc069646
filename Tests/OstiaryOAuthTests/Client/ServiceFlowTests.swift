import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// Flows that take no person.
@Suite(.timeLimit(.minutes(20))) struct ServiceFlowTests {
  private func world() throws -> ProviderWorld {
    var settings = ProviderSettings()
    settings.clients = [ProviderClient(), ProviderClient(id: "service", secret: "s3rvice-secret")]
    settings.resources.append("https://files.example/")
    return try ProviderWorld(settings)
  }

  private func service(_ world: ProviderWorld) throws -> OAuthClient {
    try world.client(.secretBasic("s3rvice-secret"), id: "service")
  }

  private func manager(_ world: ProviderWorld, _ flow: OAuthFlow) throws -> SessionManager {
    let authenticator = try OAuthAuthenticator(
      server: world.provider.address(of: .resource), client: service(world), flow: flow)
    return SessionManager(
      authenticator: authenticator, transport: world.transport, credentials: .byHandler, clock: world.clock)
  }

  @Test("Issue 18 §5: a client acts for itself, and gets newer tokens without a person (RFC 6749 §4.4)")
  func clientCredentials() async throws {
    let world = try world()
    let manager = try manager(world, .clientCredentials(scope: "reports", parameters: ["audience": "orders"]))
    let http = AuthenticatedTransport(manager)
    let reports = world.provider.address(of: .resource).appending(path: "reports")
    let first = try await http.get(reports)
    #expect(JSONValue(json: first.body)?["user"] == "service")
    #expect(manager.current?.user.id == "service")
    world.clock.advance(by: .seconds(400))
    #expect(try await http.get(reports).status == .ok)
    let forms = world.forms(.token)
    #expect(forms.map { $0["grant_type"] } == ["client_credentials", "client_credentials"])
    #expect(forms.allSatisfy { $0["scope"] == "reports" && $0["audience"] == "orders" })
    let secretless = try OAuthAuthenticator(
      server: world.provider.address(of: .resource), client: world.client(), flow: .clientCredentials())
    let error = await failure { try await secretless.signIn(with: .byHandler, in: world.context) }
    #expect(error?.code == .grantRefused)
  }

  @Test("Issue 18 §5: delegation names the user and the actor, impersonation the user alone (RFC 8693 §1.1)")
  func exchange() async throws {
    let world = try world()
    let access = try #require(try await world.signIn(world.client()).proof.tokens[OAuthAuthenticator.accessToken])
    let client = try service(world)
    let own = try await client.tokens(forGrant: "client_credentials", parameters: [:], in: world.context)
    func use(_ tokens: TokenSet, at address: URL) async throws -> TransportResponse {
      var request = try TransportRequest.get(address)
      request.head.headerFields[.authorization] = "Bearer " + tokens.accessToken.reveal()
      return try await world.transport.send(request)
    }
    let api = world.provider.address(of: .resource)
    let impersonation = try await client.tokens(exchanging: TokenExchange(of: .init(access)), in: world.context)
    let asUser = try await use(impersonation, at: api)
    #expect(JSONValue(json: asUser.body)?["user"] == "ann")
    #expect(JSONValue(json: asUser.body)?["actor"] == nil)
    let delegation = try await client.tokens(
      exchanging: TokenExchange(
        of: .init(access), by: .init(own.accessToken), for: ["https://files.example/"], audiences: ["a", "b"],
        scope: "offline_access"), in: world.context)
    let files = try #require(URL(string: "https://files.example/one"))
    #expect(try await use(delegation, at: api).status == .unauthorized, "it is for another API")
    let inTheName = try await use(delegation, at: files)
    #expect(JSONValue(json: inTheName.body)?["user"] == "ann")
    #expect(JSONValue(json: inTheName.body)?["actor"] == "service")
    let form = try #require(world.forms(.token).last)
    #expect(form.values("audience") == ["a", "b"])
    #expect(form["requested_token_type"] == TokenExchange.Kind.accessToken.rawValue)
    #expect(form["actor_token_type"] == TokenExchange.Kind.accessToken.rawValue)
    let unknown = await failure {
      try await client.tokens(exchanging: TokenExchange(of: .init("unknown-token-9134")), in: world.context)
    }
    #expect(unknown?.code == .clientRefused)
  }

  @Test("Issue 18 §5: an exchange as the authenticator's flow is made anew for each renewal")
  func exchangeFlow() async throws {
    let world = try world()
    let access = try #require(try await world.signIn(world.client()).proof.tokens[OAuthAuthenticator.accessToken])
    world.provider.settings.accessTokenLifetime = .seconds(100)
    let made = Locked(0)
    let manager = try manager(
      world,
      .tokenExchange { _ in
        made.withLock { $0 += 1 }
        return TokenExchange(of: .init(access))
      })
    let http = AuthenticatedTransport(manager)
    let api = world.provider.address(of: .resource)
    #expect(try await JSONValue(json: http.get(api).body)?["user"] == "ann")
    world.clock.advance(by: .seconds(150))
    #expect(try await JSONValue(json: http.get(api).body)?["user"] == "ann")
    #expect(made.withLock { $0 } == 2)
  }

  @Test(
    "Issue 18 §5: what is no access token is refused; a server that does not say what it gave is believed",
    arguments: [
      (TokenExchange.Kind.accessToken.rawValue, true), (TokenExchange.Kind.jwt.rawValue, true), (nil, true),
      (TokenExchange.Kind.idToken.rawValue, false), (TokenExchange.Kind.refreshToken.rawValue, false),
    ] as [(String?, Bool)])
  func issuedKind(_ kind: String?, _ isTaken: Bool) async throws {
    let world = try world()
    world.transport.on(.post, "/token") { _ in
      var answer: [String: JSONValue] = ["access_token": "t", "token_type": "Bearer"]
      answer["issued_token_type"] = kind.map(JSONValue.string)
      return .json(answer)
    }
    let client = try service(world)
    let error = await failure {
      try await client.tokens(exchanging: TokenExchange(of: .init("subject")), in: world.context)
    }
    #expect(error?.code == (isTaken ? nil : .unexpectedResponse))
    world.transport.on(.post, "/token") { _ in .json(["access_token": "t", "token_type": "N_A"]) }
    let other = await failure {
      try await client.tokens(exchanging: TokenExchange(of: .init("subject")), in: world.context)
    }
    #expect(other?.code == .unexpectedResponse)
  }
}
