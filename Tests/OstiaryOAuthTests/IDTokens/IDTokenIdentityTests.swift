import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("OpenID-3: who signs in", .timeLimit(.minutes(20)))
struct IDTokenIdentityTests {
  @Test("OpenID-3: the ID token says who it is, and by what name they are shown, without a request")
  func idToken() async throws {
    let stub = try OpenIDStub()
    stub.change { $0["name"] = "Ann Archer" }
    let manager = try stub.manager()
    let session = try await manager.session()
    #expect(session.user == Session.User(id: "ann", displayName: "Ann Archer"))
    #expect(stub.oauth.transport.count(.get, "/userinfo") == 0)
    #expect(stub.oauth.transport.count == 1)
  }

  @Test("OpenID-3, Bug-A05: a sign-in whose keys can't be had asks the user once, and is finished when they can")
  func keysAway() async throws {
    let stub = try OpenIDStub()
    stub.state.withLock { $0.keysFailure = OstiaryError(.cannotConnect, "Down.") }
    let store = EphemeralStore()
    let manager = try stub.manager(store: store)
    #expect(await failure { try await manager.session() }?.isTransient == true)
    guard case .absent = await store.load(manager.key) else {
      Issue.record("an unjudged sign-in is stored")
      return
    }
    stub.state.withLock { $0.keysFailure = nil }
    stub.oauth.clock.advance(by: .seconds(1200))
    #expect(try await manager.session().user.id == "ann")
    #expect(stub.state.withLock { $0.visits } == 1)
    #expect(stub.oauth.transport.requests.count { $0.form["code"] != nil } == 1)
    #expect(stub.oauth.state.withLock { $0.revoked }.isEmpty)
  }

  @Test("OpenID-3: an app may name the user by its own means; the ID token is verified all the same")
  func ownIdentity() async throws {
    let stub = try OpenIDStub()
    var authenticator = try stub.authenticator()
    authenticator.identity = .known(.init(id: "somebody"))
    #expect(try await stub.signIn(authenticator).user.id == "somebody")
    stub.change { $0["nonce"] = "other" }
    #expect(try await stub.refusal(authenticator)?.code == .wrongNonce)
  }

  @Test("OpenID-3: oidcc-client-test-userinfo-invalid-sub: userinfo of another subject refuses the sign-in")
  func userInfo() async throws {
    let stub = try OpenIDStub()
    var authenticator = try stub.authenticator()
    authenticator.identity = .userInfo
    let error = await failure { try await stub.signIn(authenticator) }
    #expect(error?.code == .anotherUser)
    #expect(error?.disposition == .terminal)
    #expect(Set(stub.oauth.state.withLock { $0.revoked }) == ["refresh-1", "access-1"])
    stub.state.withLock { $0.subject = "u1" }
    #expect(try await stub.signIn(authenticator).user == Session.User(id: "u1", displayName: "Ann"))
  }

  @Test("OpenID-3: oidcc-client-test-userinfo-signed: signed userinfo is verified, and believed of no other subject")
  func signedUserInfo() async throws {
    let stub = try OpenIDStub()
    stub.state.withLock { $0.subject = "u1" }
    let claims: [String: JSONValue] = [
      "iss": .string(OpenIDStub.issuer), "aud": "app", "sub": "u1", "name": "Ann of the JWT",
    ]
    let signer = stub.state.withLock { $0.signer }
    let answer = Locked((claims: claims, key: signer))
    stub.oauth.transport.on(.get, "/userinfo") { _ in
      let (claims, key) = answer.withLock { ($0.claims, $0.key) }
      let fields: HTTPFields = [.contentType: "application/jwt; charset=utf-8"]
      return TransportResponse(
        HTTPResponse(status: .ok, headerFields: fields), body: Data(try key.sign(claims).reveal().utf8))
    }
    var authenticator = try stub.authenticator()
    authenticator.identity = .userInfo
    #expect(try await stub.signIn(authenticator).user.displayName == "Ann of the JWT")
    for change in [["iss": "https://other.test"], ["aud": "other"], ["exp": 1], ["sub": .null]]
      as [[String: JSONValue]]
    {
      answer.withLock { $0.claims = claims.merging(change) { $1 } }
      #expect(await failure { try await stub.signIn(authenticator) }?.code == .unexpectedResponse, "\(change)")
    }
    answer.withLock { $0.claims = claims.merging(["sub": "ben"]) { $1 } }
    #expect(await failure { try await stub.signIn(authenticator) }?.code == .anotherUser)
    answer.withLock { $0.claims = claims.filter { $0.key == "sub" } }
    #expect(try await stub.signIn(authenticator).user.id == "u1", "iss and aud are only recommended")
    let attacker = try SigningKey.make(.es256, id: "k1")
    answer.withLock { $0.key = attacker }
    #expect(await failure { try await stub.signIn(authenticator) }?.code == .unexpectedResponse)
    var plain = try stub.authenticator(stub.oauth.client())
    plain.identity = .userInfo
    #expect(await failure { try await stub.signIn(plain) }?.code == .unexpectedResponse)
  }

  @Test("OpenID-3: a look at the session at the userinfo endpoint believes no other subject, and ends nothing")
  func verification() async throws {
    let stub = try OpenIDStub()
    let manager = try stub.manager()
    _ = try await manager.session()
    guard case .unknown = await manager.verify() else {
      Issue.record("another user's data were believed")
      return
    }
    #expect(manager.current?.user.id == "ann")
    let right = try OpenIDStub()
    right.state.withLock { $0.subject = "u1" }
    let other = try right.manager()
    _ = try await other.session()
    guard case .signedIn = await other.verify() else {
      Issue.record("the user's own data were not believed")
      return
    }
  }

  @Test("OpenID-3: tokens that were obtained elsewhere: a good ID token says who it is; an old one is left out")
  func handedOver() async throws {
    let stub = try OpenIDStub()
    let authenticator = try stub.authenticator()
    let grant = try await stub.signIn()
    let proof = Proof(tokens: grant.proof.tokens.filter { ["access_token", "id_token"].contains($0.key) })
    let now = try await authenticator.signIn(with: .proof(proof), in: stub.oauth.context)
    #expect(now.user.id == "ann")
    #expect(now.proof.tokens["id_token_verification"] != nil)
    stub.oauth.clock.advance(by: .seconds(1200))
    let later = try await authenticator.signIn(with: .proof(proof), in: stub.oauth.context)
    #expect(later.user.id == "u1", "userinfo is asked")
    #expect(later.proof.tokens["id_token"] == nil)
  }

  @Test("OpenID-3: a client without a policy keeps ID tokens unread, as before")
  func withoutPolicy() async throws {
    let stub = try OpenIDStub()
    let authenticator = try stub.authenticator(stub.oauth.client())
    let grant = try await stub.signIn(authenticator)
    #expect(grant.user.id == "u1")
    #expect(grant.proof.tokens["id_token"] != nil)
    #expect(grant.proof.tokens["id_token_verification"] == nil)
    #expect(stub.keyRequests == 0)
  }

  @Test("OpenID-3: nothing that is shown has a token, a nonce or a key in it")
  func secrets() async throws {
    let stub = try OpenIDStub()
    let grant = try await stub.signIn()
    let text = try #require(grant.proof.tokens["id_token"]?.reveal())
    let tokens = TokenSet(accessToken: "access-1", idToken: Secret(text))
    let policy = try #require(try stub.client().idTokens)
    let expectation = IDTokenExpectation(nonce: "n-0S6_WzA2Mj", maximumAge: .seconds(1), contextClasses: ["a"])
    for shown in ["\(grant)", "\(tokens)", "\(expectation)", "\(policy)"] {
      #expect(!shown.contains(text) && !shown.contains("n-0S6_WzA2Mj") && !shown.contains("access-1"))
    }
    stub.change { $0["nonce"] = "n-0S6_WzA2Mj" }
    let error = try #require(await failure { try await stub.signIn() })
    #expect(!"\(error) \(String(reflecting: error))".contains("n-0S6_WzA2Mj"))
  }
}
