import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("The authenticator's own answers", .timeLimit(.minutes(20)))
struct AuthenticatorTests {
  private func response(_ status: Int, _ challenges: [String] = []) -> TransportResponse {
    var fields = HTTPFields()
    for challenge in challenges { fields.append(HTTPField(name: .wwwAuthenticate, value: challenge)) }
    return TransportResponse(HTTPResponse(status: .init(code: status), headerFields: fields))
  }

  @Test(
    "Only a 401 that can be about the token refuses it",
    arguments: [
      (401, ["Bearer"], true), (401, ["Bearer error=\"invalid_token\""], true), (401, ["DPoP"], true),
      (401, ["Token error=\"invalid_token\""], true), (401, [], false), (401, ["Token"], false),
      (401, ["Basic realm=\"x\"", "Bearer realm=\"y\""], true), (401, ["Basic realm=\"proxy\""], false),
      (401, ["Negotiate"], false), (401, ["Bearer error=\"insufficient_scope\""], false),
      (403, ["Bearer error=\"insufficient_scope\""], false), (403, [], false), (400, [], false), (407, [], false),
      (429, [], false), (500, [], false), (503, ["Bearer"], false), (200, ["Bearer"], false), (302, [], false),
    ] as [(Int, [String], Bool)])
  func judge(_ status: Int, _ challenges: [String], _ isRejected: Bool) throws {
    let verdict = try OAuthStub().authenticator().judge(
      response(status, challenges), to: .get(OAuthStub.url("/things")))
    guard case .rejected(_, let mayHaveExecuted) = verdict else {
      #expect(!isRejected)
      return
    }
    #expect(isRejected)
    #expect(!mayHaveExecuted)
  }

  @Test(
    "A 401 without a challenge that is about the token makes the server be asked; a judge of its own takes it for one")
  func unmarked() async throws {
    let authenticator = try OAuthStub().authenticator()
    let request = try TransportRequest.get(OAuthStub.url("/things"))
    for answer in [response(401), response(401, ["Token"]), .html("<h1>Hotel</h1>", status: .unauthorized)] {
      guard case .doubtful(_, false) = authenticator.judge(answer, to: request) else {
        Issue.record("\(answer)")
        return
      }
      guard case .rejected(_, false) = TokenJudge.anyUnauthorized.judge(answer, request) else {
        Issue.record("\(answer)")
        return
      }
    }
    #expect(TokenJudge.anyUnauthorized.judge(response(401, ["Basic realm=\"proxy\""]), request) == .accepted)
  }

  @Test("A portal's 401 ends and renews no session; one that is no page makes it be renewed", arguments: [true, false])
  func portal(_ hasRefreshToken: Bool) async throws {
    let stub = OAuthStub()
    if !hasRefreshToken { stub.answer { _ in .json(["access_token": "t", "expires_in": 600]) } }
    // Without an endpoint that could be asked.
    let client = try OAuthClient(
      id: "app", endpoints: OAuthEndpoints(token: OAuthStub.url("/token"), authorization: OAuthStub.url("/authorize")))
    var configuration = SessionConfiguration()
    configuration.retry = .none
    let manager = SessionManager(
      authenticator: try OAuthAuthenticator(
        server: OAuthStub.url("/"), client: client, flow: OAuthStub.flowOfOneSignIn()),
      transport: stub.transport, credentials: .byHandler, configuration: configuration, clock: stub.clock)
    let http = AuthenticatedTransport(manager)
    stub.transport.on(.get, "/things") { _ in .json(["ok": true]) }
    #expect(try await http.get(OAuthStub.url("/things")).status == .ok)
    let before = try #require(manager.current)
    stub.transport.inject(
      .respond(.html("<h1>Hotel</h1>", status: .unauthorized)), into: .get("/things"), at: .nth(1))
    let answer = try await http.get(OAuthStub.url("/things"))
    #expect(answer.status == .unauthorized)
    #expect(stub.state.withLock { $0.refreshes } == 0)
    #expect(manager.current == before)
    #expect(manager.lastSignOut == nil)
    stub.transport.setFaults()
    if hasRefreshToken {
      stub.transport.inject(.respond(.status(.unauthorized)), into: .get("/things"), at: .nth(1))
      #expect(try await http.get(OAuthStub.url("/things")).status == .ok)
      #expect(stub.state.withLock { $0.refreshes } == 1)
      return
    }
    stub.transport.inject(.respond(.status(.unauthorized)), into: .get("/things"))
    #expect(await failure { try await http.get(OAuthStub.url("/things")) }?.disposition == .terminal)
    #expect(manager.current == nil)
  }

  @Test("A server with ways of its own has a judge of its own")
  func ownJudge() throws {
    var authenticator = try OAuthStub().authenticator()
    authenticator.judge = TokenJudge { response, _ in
      response.status == .forbidden ? .rejected(reason: "bad token", mayHaveExecuted: true) : .accepted
    }
    let request = try TransportRequest.get(OAuthStub.url("/things"))
    #expect(authenticator.judge(response(401), to: request) == .accepted)
    #expect(authenticator.judge(response(403), to: request) == .rejected(reason: "bad token", mayHaveExecuted: true))
  }

  @Test("Tokens go to the named origins and to no other")
  func origins() async throws {
    let stub = OAuthStub()
    var authenticator = try stub.authenticator()
    let files = try #require(URL(string: "https://files.test/"))
    authenticator.origins.append(try #require(Origin(files)))
    let manager = SessionManager(
      authenticator: authenticator, transport: stub.transport, credentials: .byHandler, clock: stub.clock)
    _ = try await manager.session()
    func field(_ address: String) throws -> String? {
      var request = try HTTPRequest(.get, to: try #require(URL(string: address)))
      manager.attach(to: &request)
      return request.headerFields[.authorization]
    }
    #expect(try field("https://as.test/x") == "Bearer access-1")
    #expect(try field("https://files.test/x") == "Bearer access-1")
    #expect(try field("http://as.test/x") == nil)
    #expect(try field("https://as.test:444/x") == nil)
    #expect(try field("https://sub.as.test/x") == nil)
    #expect(try field("https://as.test.evil.test/x") == nil)
  }

  @Test("Tokens that are handed over are asked about: at userinfo, by introspection, or by refreshing")
  func handedOver() async throws {
    let stub = OAuthStub(hasUserInfo: true)
    let context = stub.context
    let tokens = try await stub.client().insecureTokens(forUsername: "ann", password: "p", in: context)
    let authenticator = try stub.authenticator()
    let grant = try await authenticator.signIn(with: .proof(tokens.proof), in: context)
    #expect(grant.user.id == "u1")
    let bad = Proof(tokens: ["access_token": "other"])
    #expect(await failure { try await authenticator.signIn(with: .proof(bad), in: context) }?.code == .grantRefused)
    let refresh = Proof(tokens: ["refresh_token": "refresh-1"])
    #expect(
      try await authenticator.signIn(with: .proof(refresh), in: context).proof.tokens["access_token"] == "access-2")
    let nothing = Proof(tokens: ["id_token": "x"])
    #expect(
      await failure { try await authenticator.signIn(with: .proof(nothing), in: context) }?.code
        == .unsupportedCredential)
    let other = OAuthStub()
    other.transport.on(.post, "/introspect") { _ in .json(["active": false]) }
    let introspecting = try other.authenticator()
    let dead = await failure { try await introspecting.signIn(with: .proof(tokens.proof), in: other.context) }
    #expect(dead?.code == .grantRefused)
  }

  @Test("A request of the app's own that is answered with tokens is a sign-in")
  func ownRequest() async throws {
    let stub = OAuthStub()
    stub.transport.on(.post, "/login") { _ in .json(["access_token": "own", "expires_in": "60"]) }
    let request = try TransportRequest.post(OAuthStub.url("/login"), body: Data(), contentType: "text/plain")
    let grant = try await stub.authenticator().signIn(with: .request(request), in: stub.context)
    #expect(grant.proof.tokens["access_token"] == "own")
    #expect(grant.expiresAt == stub.clock.now.addingTimeInterval(60))
  }

  @Test("Bug-A22: a server that wants a stronger or newer sign-in (RFC 9470) refuses no token")
  func stepUp() async throws {
    let field = "Bearer error=\"insufficient_user_authentication\", acr_values=\"strong\", max_age=\"5\""
    let stub = OAuthStub()
    let authenticator = try stub.authenticator()
    guard
      case .insufficient(let reason) = try authenticator.judge(
        response(401, [field]), to: .get(OAuthStub.url("/things")))
    else {
      Issue.record("it is no verdict of its own")
      return
    }
    #expect(!reason.isEmpty)
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(OAuthStub.url("/things"))
    let before = manager.current
    stub.transport.inject(
      .status(.unauthorized, headerFields: [.wwwAuthenticate: field]), into: .get("/things"))
    let answer = try await http.get(OAuthStub.url("/things"))
    #expect(answer.status == .unauthorized)
    #expect(answer.head.headerFields[.wwwAuthenticate] == field)
    #expect(manager.current == before)
    #expect(stub.state.withLock { $0.refreshes } == 0)
  }

  @Test("Without a refresh token an assertion renews, and a flow that takes a person does not")
  func renewing() async throws {
    let stub = OAuthStub()
    stub.answer { _ in .json(["access_token": "t", "expires_in": 600]) }
    let counter = Locked(0)
    let flow = OAuthFlow.assertion { _ in
      counter.withLock { $0 += 1 }
      return "signed"
    }
    let manager = try stub.manager(flow: flow)
    _ = try await manager.session()
    stub.clock.advance(by: .seconds(599))
    _ = try await manager.session()
    #expect(counter.withLock { $0 } == 2)
    #expect(manager.lastSignOut == nil)
    let session = try #require(manager.current)
    let browser = try stub.authenticator()
    guard case .needsCredential = try await browser.renew(session, in: stub.context) else {
      Issue.record("renewed without a person")
      return
    }
  }

  @Test("Bug-F14: an assertion is asked for by the server's time, once that is known")
  func assertionTime() async throws {
    let stub = OAuthStub()
    let server = stub.clock.now.addingTimeInterval(600)
    let date: HTTPFields = [.date: HTTPDate.format(server)]
    let times = Locked<[TimeInterval]>([])
    stub.answer { form in
      form["assertion"] == "600.0"
        ? .json(["access_token": "t"], headerFields: date)
        : .json(["error": "invalid_grant"], status: .badRequest, headerFields: date)
    }
    let flow = OAuthFlow.assertion { [clock = stub.clock] request in
      let time = request.now.timeIntervalSince(clock.now)
      times.withLock { $0.append(time) }
      return Secret("\(time)")
    }
    let authenticator = try stub.authenticator(flow: flow)
    let grant = try await authenticator.signIn(with: .byHandler, in: stub.context)
    #expect(times.withLock { $0 } == [0, 600])
    let session = Session(
      kind: .oauth, server: OAuthStub.url("/"), version: ProofVersion(), grant: grant, issuedAt: stub.clock.now)
    _ = try await authenticator.renew(session, in: stub.context)
    #expect(times.withLock { $0 } == [0, 600, 600])
    // An assertion that the app has made beforehand is shown once.
    stub.answer { _ in .json(["error": "invalid_grant"], status: .badRequest, headerFields: date) }
    let fixed = try stub.authenticator(flow: .assertion { _ in "made before" })
    let before = stub.transport.count(.post, "/token")
    #expect(await failure { try await fixed.signIn(with: .byHandler, in: stub.context) }?.code == .grantRefused)
    #expect(stub.transport.count(.post, "/token") == before + 1)
  }

  @Test("Whether a session is good: userinfo, then introspection, and otherwise nobody knows")
  func verify() async throws {
    let stub = OAuthStub(hasUserInfo: true)
    let manager = try stub.manager()
    _ = try await manager.session()
    #expect(await manager.verify().isSignedIn)
    stub.dropAccessTokens()
    #expect(await manager.verify().isSignedIn, "the refresh token is good, so it is renewed")
    #expect(manager.current?.proof.tokens["access_token"] == "access-2")
    stub.transport.inject(.status(.badGateway), into: .get("/userinfo"))
    guard case .unknown = await manager.verify() else {
      Issue.record("it was told")
      return
    }
    #expect(manager.current != nil)
  }

  @Test("What others have kept of tokens goes on as a session")
  func imported() async throws {
    let stub = OAuthStub()
    let json = Data(#"{"accessToken":"a","refreshToken":"r","tokenType":"Bearer","scope":"x y"}"#.utf8)
    let grant = try SessionGrant(tokenResponse: json, user: .init(id: "ann"), savedAt: stub.clock.now)
    let session = Session(
      kind: .oauth, server: OAuthStub.url("/"), version: ProofVersion(), grant: grant, issuedAt: stub.clock.now)
    let tokens = try #require(TokenSet(session))
    #expect(tokens.refreshToken == "r")
    #expect(tokens.scopes == ["x", "y"])
    #expect(TokenSet(tokens.grant(for: session.user).session()) == tokens)
  }
}

extension SessionGrant {
  fileprivate func session() -> Session {
    Session(
      kind: .oauth, server: OAuthStub.url("/"), version: ProofVersion(), grant: self,
      issuedAt: Date(timeIntervalSince1970: 0))
  }
}
