import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("A client that is made from an issuer", .timeLimit(.minutes(20)))
struct LocatedClientTests {
  private let server = DocumentServer()
  private let store = EphemeralStore()
  private let things = OAuthStub.url("/things")

  init() {
    // No userinfo, so that each request of the tests is one of the tokens'.
    server.publish(["userinfo_endpoint": nil])
    let number = Locked(0)
    server.transport.on(.post, "/token") { _ in
      let next = number.withLock {
        $0 += 1
        return $0
      }
      return .json([
        "access_token": .string("access-\(next)"), "refresh_token": .string("refresh-\(next)"), "expires_in": 600,
        // What a server says is not where it is.
        "server": .string(#"{"issuer":"https://evil.test","token_endpoint":"https://evil.test/token"}"#),
      ])
    }
    server.transport.on(.post, "/revoke") { _ in .status(.ok) }
    server.transport.on(.get, "/things") { _ in .json(["ok": true]) }
  }

  /// A manager as a process has it that has just begun: nothing is known of the server.
  private func manager() throws -> (SessionManager, ServerDirectory) {
    let directory = ServerDirectory(transport: server.transport, clock: server.clock)
    let client = try OAuthClient(id: "app", issuer: DocumentServer.issuer, in: directory)
    let authenticator = try OAuthAuthenticator(server: OAuthStub.url("/"), client: client, flow: OAuthStub.browser)
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(10))
    let manager = SessionManager(
      authenticator: authenticator, transport: server.transport, credentials: .byHandler, store: store,
      configuration: configuration, clock: server.clock)
    return (manager, directory)
  }

  private var asked: [String] { server.transport.requests.map(\.address) }

  @Test("FIND-21: the server's address is enough: its endpoints are asked for when they are first needed, once")
  func signIn() async throws {
    let (manager, directory) = try manager()
    #expect(asked.isEmpty)
    #expect(try await AuthenticatedTransport(manager).get(things).status == .ok)
    #expect(asked == [DocumentServer.openID, "https://as.test/token", "https://as.test/things"])
    let located = try await OAuthClient(id: "app", issuer: DocumentServer.issuer, in: directory).located()
    #expect(located.isLocated && located.metadata?.issuer == DocumentServer.issuer)
    #expect(located.endpoints.revocation?.absoluteString == "https://as.test/revoke")
    #expect(asked.count == 3)
  }

  @Test("FIND-22: a renewal after a restart costs one request")
  func restart() async throws {
    _ = try await manager().0.session()
    server.clock.advance(by: .seconds(3600))
    let before = asked.count
    let (second, _) = try manager()
    #expect(try await AuthenticatedTransport(second).get(things).status == .ok)
    #expect(Array(asked.dropFirst(before)) == ["https://as.test/token", "https://as.test/things"])
    #expect(second.current?.proof.tokens["refresh_token"] == "refresh-2")
  }

  @Test("FIND-22: a document that changes later moves no refresh token to another host, at a renewal and at a sign-out")
  func otherHost() async throws {
    let (first, _) = try manager()
    _ = try await first.session()
    server.publish([
      "token_endpoint": "https://evil.test/token", "revocation_endpoint": "https://evil.test/revoke",
      "userinfo_endpoint": "https://evil.test/userinfo",
    ])
    server.clock.advance(by: .seconds(2 * 86_400))
    _ = try await first.session()
    let (second, directory) = try manager()
    // The directory knows the newer document, and the session goes on with its own.
    #expect(try await directory.metadata(of: DocumentServer.issuer).endpoints?.token.host() == "evil.test")
    server.clock.advance(by: .seconds(3600))
    for round in 3...5 {
      #expect(try await second.session().proof.tokens["refresh_token"] == Secret("refresh-\(round)"))
      server.clock.advance(by: .seconds(3600))
    }
    await second.signOut()
    #expect(server.count("https://as.test/revoke") == 2)
    #expect(server.transport.requests.allSatisfy { $0.head.authority == "as.test" })
    // A new sign-in takes the document as it is now.
    server.transport.on(.get, "/userinfo") { _ in .json(["sub": "ann"]) }
    _ = try await second.session()
    #expect(server.count("https://evil.test/token") == 1)
  }

  @Test("FIND-22: a client that goes to another issuer now shows what it has agreed with that one to no other server")
  func otherIssuer() async throws {
    let b = "https://b.test"
    server.publish(
      [
        "issuer": .string(b), "authorization_endpoint": .string(b + "/authorize"),
        "token_endpoint": .string(b + "/token"),
        "revocation_endpoint": .string(b + "/revoke"), "userinfo_endpoint": nil, "jwks_uri": nil,
      ], at: b + "/.well-known/openid-configuration")
    func manager(_ authentication: ClientAuthentication) throws -> SessionManager {
      let directory = ServerDirectory(transport: server.transport, clock: server.clock)
      let client = try OAuthClient(id: "app", authentication: authentication, issuer: b, in: directory)
      return SessionManager(
        authenticator: try OAuthAuthenticator(server: OAuthStub.url("/"), client: client, flow: OAuthStub.browser),
        transport: server.transport, credentials: .byHandler, store: store, clock: server.clock)
    }
    _ = try await self.manager().0.session()
    server.clock.advance(by: .seconds(3600))
    // A client that shows nothing goes on: the server may only have got another name.
    var before = asked.count
    #expect(try await manager(.none).session().proof.tokens["refresh_token"] == "refresh-2")
    #expect(Array(asked.dropFirst(before)) == ["https://as.test/token"])
    server.clock.advance(by: .seconds(3600))
    before = asked.count
    // The session is not renewed there: its token is used until the API refuses it, and then there is a sign-in.
    server.transport.on(.get, "/things") { request in
      guard request.head.headerFields[.authorization] == "Bearer access-2" else { return .json(["ok": true]) }
      return .status(.unauthorized, headerFields: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
    }
    let moved = try manager(.secretBasic("planted"))
    #expect(try await AuthenticatedTransport(moved).get(things).status == .ok)
    let sent = asked.dropFirst(before)
    #expect(sent.contains(b + "/token"))
    #expect(sent.filter { !$0.hasPrefix(b) } == ["https://as.test/things", "https://as.test/things"])
    #expect(moved.current?.proof.tokens["server"]?.reveal().contains(b + "/token") == true)
  }

  @Test("FIND-22: such a client ends a session of the other server here alone")
  func otherIssuerEnds() async throws {
    _ = try await manager().0.session()
    let directory = ServerDirectory(transport: server.transport, clock: server.clock)
    let client = try OAuthClient(
      id: "app", authentication: .secretPost("planted"), issuer: "https://b.test", in: directory)
    let manager = SessionManager(
      authenticator: try OAuthAuthenticator(server: OAuthStub.url("/"), client: client), transport: server.transport,
      store: store, clock: server.clock)
    _ = await manager.restore()
    let before = asked.count
    await manager.signOut()
    #expect(manager.current == nil && asked.count == before)
  }

  @Test("FIND-21: a server that can't be found now is a failure that may pass, and the sign-in goes on afterwards")
  func outage() async throws {
    let (manager, _) = try manager()
    server.transport.inject(.refuseConnection, into: .get("/.well-known/openid-configuration"), at: .nth(1))
    let error = await failure { try await manager.session() }
    #expect(error?.isTransient == true)
    _ = try await manager.session()
  }

  @Test("FIND-21: a session whose facts can't be read is renewed where its issuer says")
  func damaged() async throws {
    let directory = ServerDirectory(transport: server.transport, clock: server.clock)
    let client = try OAuthClient(id: "app", issuer: DocumentServer.issuer, in: directory)
    let authenticator = try OAuthAuthenticator(server: OAuthStub.url("/"), client: client)
    for facts in ["", "{", "{}", #"{"issuer":"https://as.test","token_endpoint":"http://evil.test/token"}"#] {
      let grant = SessionGrant(
        user: Session.User(id: "u"),
        proof: Proof(tokens: ["access_token": "a", "refresh_token": "r", "server": Secret(facts)]))
      let session = Session(
        kind: .oauth, server: OAuthStub.url("/"), version: ProofVersion(), grant: grant, issuedAt: server.clock.now)
      let context = AuthenticationContext(transport: server.transport, clock: server.clock)
      guard case .renewed(let newer) = try await authenticator.renew(session, in: context) else {
        Issue.record("not renewed")
        continue
      }
      #expect(newer.proof.tokens["server"]?.reveal().contains("https://as.test/token") == true)
    }
    #expect(server.transport.requests.allSatisfy { $0.head.authority == "as.test" })
  }

  @Test("FIND-21: a client whose server has not been found sends nothing")
  func unlocated() async throws {
    let client = try OAuthClient(
      id: "app", authentication: .secretBasic("s"), issuer: DocumentServer.issuer, in: server.directory)
    let context = AuthenticationContext(transport: server.transport, clock: server.clock)
    #expect(await failure { try await client.refresh("r", in: context) }?.code == .invalidInput)
    #expect(await failure { try await client.userInfo(with: "a", in: context) }?.code == .invalidInput)
    #expect(
      await failure { try AuthorizationRequest(client, redirectURI: OAuthStub.redirectURI) }?.code == .invalidInput)
    #expect(server.transport.count == 0)
  }

  @Test("FIND-21: a client that lost its directory finds no server, and says so")
  func noDirectory() async throws {
    var client = try OAuthClient(id: "app", issuer: DocumentServer.issuer, in: server.directory)
    client.directory = nil
    let authenticator = try OAuthAuthenticator(server: OAuthStub.url("/"), client: client, flow: OAuthStub.browser)
    let context = AuthenticationContext(transport: server.transport, clock: server.clock)
    #expect(await failure { try await authenticator.signIn(with: .byHandler, in: context) }?.code == .invalidInput)
    #expect(server.transport.count == 0)
  }

  @Test("FIND-21: a 401 without a challenge is asked about where there is an endpoint for that, as far as is known")
  func doubt() async throws {
    let client = try OAuthClient(id: "app", issuer: DocumentServer.issuer, in: server.directory)
    let authenticator = try OAuthAuthenticator(server: OAuthStub.url("/"), client: client)
    let request = try TransportRequest.get(things)
    let bare = TransportResponse.status(.unauthorized)
    func isDoubtful() -> Bool {
      if case .doubtful = authenticator.judge(bare, to: request) { true } else { false }
    }
    #expect(isDoubtful(), "nothing is known of the server yet")
    _ = try await server.directory.metadata(of: DocumentServer.issuer)
    #expect(!isDoubtful(), "the server has neither endpoint: what a renewal brings tells")
    server.publish()
    server.clock.advance(by: .seconds(3600))
    _ = try await server.directory.metadata(of: DocumentServer.issuer)
    #expect(isDoubtful())
  }

  @Test("FIND-21: a server without a token endpoint is none for a client")
  func noTokenEndpoint() async throws {
    server.publish(["token_endpoint": nil])
    let client = try OAuthClient(id: "app", issuer: DocumentServer.issuer, in: server.directory)
    #expect(await failure { try await client.located() }?.code == .metadataUnusable)
    let metadata = try await server.directory.metadata(of: DocumentServer.issuer)
    #expect(await failure { try OAuthClient(id: "app", metadata: metadata) }?.code == .metadataUnusable)
  }

  @Test("FIND-21: what was set on a client stays when its server is found")
  func settings() async throws {
    var client = try OAuthClient(id: "app", issuer: DocumentServer.issuer, in: server.directory)
    client.timeout = .seconds(3)
    client.terminalRefusals[.init("inactive")] = "No."
    let located = try await client.located()
    #expect(located.timeout == .seconds(3) && located.terminalRefusals.codes.contains(.init("inactive")))
  }
}
