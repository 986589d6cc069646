import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// Without the scope `openid` a userinfo endpoint need not tell of a token (OpenID Connect Core §5.3).
@Suite("Plain OAuth at a server with a userinfo endpoint", .timeLimit(.minutes(20)))
struct PlainSignInTests {
  private static func challenge(_ status: HTTPResponse.Status, _ field: String) -> TransportResponse {
    .status(status, headerFields: [.wwwAuthenticate: field])
  }

  private static let silences: [TransportResponse] = [
    challenge(.forbidden, "Bearer error=\"insufficient_scope\""),
    .json(["error": "insufficient_scope"], status: .forbidden), .json(["name": "Ann"]),
  ]

  @Test(
    "IDENT-1: a userinfo endpoint that does not tell of the token fails no sign-in that has its tokens",
    arguments: silences)
  func signsIn(_ answer: TransportResponse) async throws {
    let stub = OAuthStub(hasUserInfo: true)
    stub.transport.on(.get, "/userinfo") { _ in answer }
    let manager = try stub.manager()
    let session = try await manager.session()
    #expect(session.user == Session.User(id: "app"), "the client's identifier, as without such an endpoint")
    #expect(session.proof.tokens[OAuthAuthenticator.refreshToken] == "refresh-1")
    #expect(stub.state.withLock { $0.revoked }.isEmpty)
    #expect(stub.transport.count(.get, "/userinfo") == 1)
    stub.clock.advance(by: .seconds(3590))
    #expect(try await AuthenticatedTransport(manager).get(OAuthStub.url("/things")).status == .ok)
    #expect(manager.current?.user.id == "app")
  }

  @Test("IDENT-1: an answer that may be of something in between is no answer of the endpoint")
  func inBetween() async throws {
    let page = "<h1>Sign in</h1>"
    for answer: TransportResponse in [
      .status(.forbidden), .html(page), .html(page, status: .unauthorized), .status(.proxyAuthenticationRequired),
      .html("<h1>Not Found</h1>", status: .notFound), .status(.notFound), .status(.gone),
      .status(.badRequest), .status(.serviceUnavailable), Self.challenge(.unauthorized, "Basic realm=\"proxy\""),
    ] {
      let stub = OAuthStub(hasUserInfo: true)
      stub.transport.on(.get, "/userinfo") { _ in answer }
      let authenticator = try stub.authenticator()
      let grant = try await authenticator.signIn(with: .byHandler, in: stub.context)
      let error = await failure { try await authenticator.identify(grant, in: stub.context) }
      #expect(error?.isTransient == true, "\(answer)")
      #expect(stub.state.withLock { $0.revoked }.isEmpty)
    }
  }

  @Test("IDENT-2: at a sign-in of OpenID Connect a refusal stays one", arguments: ["scope", "id_token"])
  func openID(_ mark: String) async throws {
    let stub = OAuthStub(hasUserInfo: true)
    let said: JSONValue = mark == "scope" ? "a openid" : "e30.e30.e30"
    stub.answer { _ in .json(["access_token": "t", mark: said]) }
    let authenticator = try stub.authenticator()
    let grant = try await authenticator.signIn(with: .byHandler, in: stub.context)
    let error = await failure { try await authenticator.identify(grant, in: stub.context) }
    #expect(error?.code == .grantRefused && error?.disposition == .terminal)
    #expect(stub.state.withLock { $0.revoked } == ["t"])
    stub.transport.on(.get, "/userinfo") { _ in .json(["name": "Ann"]) }
    #expect(await failure { try await authenticator.identify(grant, in: stub.context) }?.code == .unexpectedResponse)
  }

  @Test("IDENT-3: a 401 is a word about the token, which may have been taken back, and names no user")
  func takenBack() async throws {
    for answer: TransportResponse in [
      .status(.unauthorized), Self.challenge(.unauthorized, "Bearer error=\"invalid_token\""),
    ] {
      let stub = OAuthStub(hasUserInfo: true)
      stub.transport.on(.get, "/userinfo") { _ in answer }
      let error = await failure { try await stub.manager().session() }
      #expect(error?.code == .grantRefused, "\(answer)")
      #expect(!stub.state.withLock { $0.revoked }.isEmpty)
    }
  }

  @Test("IDENT-3: tokens that are handed over are refused by a 401; an endpoint that is not for them says nothing")
  func handedOver() async throws {
    let stub = OAuthStub(hasUserInfo: true)
    let authenticator = try stub.authenticator()
    let proof = Proof(tokens: [OAuthAuthenticator.accessToken: "other"])
    let error = await failure { try await authenticator.signIn(with: .proof(proof), in: stub.context) }
    #expect(error?.code == .grantRefused)
    stub.transport.on(.get, "/userinfo") { _ in Self.challenge(.forbidden, "Bearer error=\"insufficient_scope\"") }
    #expect(try await authenticator.signIn(with: .proof(proof), in: stub.context).user.id == "app")
  }

  @Test("IDENT-4: what the endpoint says of such a session later ends nothing and confirms nothing")
  func later() async throws {
    let stub = OAuthStub(hasUserInfo: true)
    stub.transport.on(.get, "/userinfo") { _ in Self.challenge(.forbidden, "Bearer error=\"insufficient_scope\"") }
    let manager = try stub.manager()
    _ = try await manager.session()
    stub.transport.on(.get, "/userinfo") { _ in OAuthStub.refused }
    stub.transport.on(.post, "/introspect") { _ in .json(["active": true]) }
    #expect(await manager.verify().isSignedIn)
    stub.transport.on(.post, "/introspect") { _ in .status(.notFound) }
    guard case .unknown = await manager.verify() else {
      Issue.record("it was told")
      return
    }
    #expect(manager.current?.user.id == "app")
    #expect(stub.transport.count(.get, "/userinfo") == 1)
    let report = await manager.signOut(confirming: true)
    #expect(report.confirmation?.isConfirmed == false, "\(report)")
    #expect(stub.transport.count(.get, "/userinfo") == 1)
    #expect(stub.state.withLock { $0.refreshes } == 0)
  }
}
