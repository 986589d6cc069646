import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("Revocation, introspection and userinfo", .timeLimit(.minutes(20)))
struct ServiceTests {
  @Test("Revocation tells the token and its kind (RFC 7009 §2.1)")
  func revoke() async throws {
    let stub = OAuthStub()
    try await stub.client(.secretBasic("s")).revoke("r=+", kind: .refreshToken, in: stub.context)
    let request = try #require(stub.transport.requests.last)
    #expect(request.form["token"] == "r=+")
    #expect(request.form["token_type_hint"] == "refresh_token")
    #expect(request.head.headerFields[.authorization]?.hasPrefix("Basic ") == true)
  }

  @Test(
    "A token that the server doesn't know, or doesn't revoke, is as good as revoked",
    arguments: [
      (200, "", true), (400, "invalid_token", true), (400, "unsupported_token_type", true), (503, "", false),
      (503, "invalid_token", false), (401, "invalid_client", false), (400, "invalid_request", false), (404, "", false),
    ])
  func revocationAnswers(_ status: Int, _ code: String, _ isFine: Bool) async throws {
    let stub = OAuthStub()
    stub.transport.on(.post, "/revoke") { _ in
      code.isEmpty
        ? .status(.init(code: status)) : .json(["error": .string(code)], status: .init(code: status))
    }
    let client = try stub.client()
    let error = await failure { try await client.revoke("r", kind: .refreshToken, in: stub.context) }
    #expect((error == nil) == isFine)
    #expect(error?.disposition != .terminal)
  }

  @Test("Introspection: active or not, and what the server says (RFC 7662 §2.2)")
  func introspect() async throws {
    let stub = OAuthStub()
    let client = try stub.client(.secretPost("s"))
    stub.transport.on(.post, "/introspect") { request in
      request.form["token"] == "good" ? .json(["active": true, "sub": 42, "scope": "a"]) : .json(["active": false])
    }
    let good = try await client.introspect("good", in: stub.context)
    #expect(good.isActive)
    #expect(good.subject == "42")
    #expect(try await client.introspect("bad", in: stub.context).isActive == false)
    stub.transport.on(.post, "/introspect") { _ in .json(["active": "yes"]) }
    #expect(await failure { try await client.introspect("x", in: stub.context) }?.code == .unexpectedResponse)
    stub.transport.on(.post, "/introspect") { _ in .json(["error": "invalid_client"], status: .unauthorized) }
    #expect(await failure { try await client.introspect("x", in: stub.context) }?.code == .clientRefused)
  }

  @Test("Userinfo tells whose token it is; a 401 says that it is no good")
  func userInfo() async throws {
    let stub = OAuthStub(hasUserInfo: true)
    let client = try stub.client()
    let tokens = try await client.insecureTokens(forUsername: "ann", password: "p", in: stub.context)
    #expect(try await client.userInfo(with: tokens.accessToken, in: stub.context)["sub"]?.string == "u1")
    #expect(stub.transport.requests.last?.head.headerFields[.authorization] == "Bearer access-1")
    let error = await failure { try await client.userInfo(with: "other", in: stub.context) }
    #expect(error?.code == .grantRefused)
  }
}
