import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("Requests to the token endpoint", .timeLimit(.minutes(20)))
struct TokenRequestTests {
  private func bodyText(_ request: TransportRequest?) -> String {
    String(decoding: request?.body ?? Data(), as: UTF8.self)
  }

  @Test("OAuth-O1: an authorization code is exchanged with its verifier (RFC 7636 §4.5)")
  func code() async throws {
    let stub = OAuthStub()
    let client = try stub.client()
    let pkce = try PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    let request = try AuthorizationRequest(client, redirectURI: OAuthStub.redirectURI, pkce: pkce)
    let response = try request.check(try request.callback(["code": "abc"]))
    let tokens = try await client.tokens(
      for: response, to: request, parameters: ["resource": "https://api.test/", "audience": "orders"],
      in: stub.context)
    #expect(tokens.accessToken.reveal() == "access-1")
    #expect(tokens.scopes == ["a", "b"])
    #expect(tokens.expiresAt == stub.clock.now.addingTimeInterval(3600))
    let sent = try #require(stub.transport.requests.last)
    #expect(sent.head.method == .post)
    #expect(sent.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
    let form = sent.form
    #expect(form["grant_type"] == "authorization_code")
    #expect(form["code_verifier"] == pkce.verifier.reveal())
    #expect(form["redirect_uri"] == "https://app.test/callback")
    #expect(form["client_id"] == "app")
    #expect(form["resource"] == "https://api.test/")
    #expect(form["audience"] == "orders")
  }

  @Test(
    "OAuth-O2: what codes and tokens are made of arrives as it was", arguments: ["=", "+", "/", "!", "a=b+c/d!e%20 &é"])
  func encoding(_ part: String) async throws {
    let stub = OAuthStub()
    let client = try stub.client()
    stub.answer { _ in .json(["access_token": "t"]) }
    let token = "5Aep861\(part)x=="
    _ = try await client.refresh(Secret(token), in: stub.context)
    let body = bodyText(stub.transport.requests.last)
    #expect(stub.transport.requests.last?.form["refresh_token"] == token)
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*-._%+&=")
    #expect(body.allSatisfy(allowed.contains))
    #expect(body.split(separator: "&").allSatisfy { $0.filter { $0 == "=" }.count == 1 })
    let request = try AuthorizationRequest(client, redirectURI: OAuthStub.redirectURI)
    let response = try request.check(try request.callback(["code": token]))
    #expect(response.code.reveal() == token)
    _ = try await client.tokens(for: response, to: request, in: stub.context)
    #expect(stub.transport.requests.last?.form["code"] == token)
  }

  @Test("OAuth-O2: over real HTTP, the same bytes")
  func realHTTP() async throws {
    let server = try LoopbackServer { request in
      let form = OAuthParameters(FormEncoding.parse(request.text).map { .init($0.name, $0.value) })
      guard form["refresh_token"] == "5Aep+/=!" else { return [.response(400, body: "{\"error\":\"invalid_grant\"}")] }
      return [.response(200, [("Content-Type", "application/json")], body: "{\"access_token\":\"t\"}")]
    }
    defer { server.stop() }
    let client = try OAuthClient(id: "app", endpoints: OAuthEndpoints(token: server.url("/token")))
    let context = AuthenticationContext(transport: PlatformTransport())
    #expect(try await client.refresh("5Aep+/=!", in: context).accessToken.reveal() == "t")
  }

  @Test("A secret goes into a Basic field, form-encoded first (RFC 6749 §2.3.1)")
  func basic() async throws {
    let stub = OAuthStub()
    let client = try OAuthClient(
      id: "my app:1", authentication: .secretBasic("s=+/! é"), endpoints: OAuthEndpoints(token: OAuthStub.url("/token"))
    )
    stub.answer { _ in .json(["access_token": "t"]) }
    _ = try await client.refresh("r", in: stub.context)
    let request = try #require(stub.transport.requests.last)
    let expected = Data("my+app%3A1:s%3D%2B%2F%21+%C3%A9".utf8).base64EncodedString()
    #expect(request.head.headerFields[.authorization] == "Basic " + expected)
    #expect(request.form["client_id"] == nil)
    #expect(request.form["client_secret"] == nil)
  }

  @Test("A secret goes among the parameters where the server wants it there")
  func post() async throws {
    let stub = OAuthStub()
    stub.answer { _ in .json(["access_token": "t"]) }
    _ = try await stub.client(.secretPost("s+1")).refresh("r", scope: "a", in: stub.context)
    let request = try #require(stub.transport.requests.last)
    #expect(request.head.headerFields[.authorization] == nil)
    #expect(request.form["client_id"] == "app")
    #expect(request.form["client_secret"] == "s+1")
    #expect(request.form["scope"] == "a")
  }

  @Test("OAuth-O20: an assertion is asked for with what it has to say, and sent (RFC 7523 §2.1)")
  func assertion() async throws {
    let stub = OAuthStub()
    let asked = Locked<[AssertionRequest]>([])
    let flow = OAuthFlow.assertion(scope: "a") { request in
      asked.withLock { $0.append(request) }
      return "e30.e30.sig"
    }
    let authenticator = try stub.authenticator(flow: flow)
    _ = try await authenticator.signIn(with: .byHandler, in: stub.context)
    let request = try #require(asked.withLock { $0.first })
    #expect(request.clientID == "app")
    #expect(request.audience == OAuthStub.url("/token"))
    #expect(request.issuer == "https://as.test")
    #expect(request.now == stub.clock.now)
    let form = try #require(stub.transport.requests.last?.form)
    #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
    #expect(form["assertion"] == "e30.e30.sig")
    #expect(form["scope"] == "a")
  }

  @Test("A password is exchanged only where that was allowed in so many words")
  func password() async throws {
    let stub = OAuthStub()
    var authenticator = try stub.authenticator()
    let credential = Credential.password(username: "ann", password: "p w+1")
    let context = stub.context
    let refused = await failure { [authenticator] in try await authenticator.signIn(with: credential, in: context) }
    #expect(refused?.code == .unsupportedCredential)
    #expect(stub.transport.count == 0)
    authenticator.insecurelyTakesPasswords = true
    _ = try await authenticator.signIn(with: credential, in: context)
    #expect(stub.transport.requests.last?.form["grant_type"] == "password")
    #expect(stub.transport.requests.last?.form["password"] == "p w+1")
    stub.answer { _ in .json(["error": "invalid_grant"], status: .badRequest) }
    let wrong = await failure { [authenticator] in try await authenticator.signIn(with: credential, in: context) }
    #expect(wrong?.code == .invalidCredentials)
    #expect(wrong?.disposition == .terminal)
  }

  @Test("An extra parameter can't be one that is there already")
  func extras() async throws {
    let stub = OAuthStub()
    let client = try stub.client()
    let error = await failure {
      try await client.refresh("r", parameters: ["refresh_token": "x"], in: stub.context)
    }
    #expect(error?.code == .invalidInput)
    // Of two that the caller gives, the server would have to refuse the request as well (RFC 6749 §3.2).
    let twice = await failure { try await client.refresh("r", parameters: ["x": "1", "x": "2"], in: stub.context) }
    #expect(twice?.code == .invalidInput && stub.transport.requests.isEmpty)
    // Several resources are allowed (RFC 8707 §2).
    stub.answer { _ in .json(["access_token": "t"]) }
    _ = try await client.refresh("r", parameters: ["resource": "x", "resource": "y"], in: stub.context)
    #expect(stub.transport.requests.last?.form.all.filter { $0.name == "resource" }.map(\.value) == ["x", "y"])
  }

  @Test("Endpoints are encrypted, but for this machine's own and those that were allowed not to be")
  func plainHTTP() throws {
    func make(_ address: String, _ isAllowed: Bool = false) throws -> OAuthClient {
      let url = try #require(URL(string: address))
      return try OAuthClient(
        id: "app", endpoints: OAuthEndpoints(token: url), insecurelyAllowsPlainHTTP: isAllowed)
    }
    #expect(throws: OstiaryError.self) { try make("http://as.test/token") }
    #expect(throws: OstiaryError.self) { try make("ftp://as.test/token", true) }
    #expect(throws: OstiaryError.self) { try make("https://user@as.test/token") }
    _ = try make("http://127.0.0.1:8080/token")
    _ = try make("http://as.test/token", true)
    _ = try make("https://as.test/token")
  }

  @Test("Tokens and secrets are not shown, also when the server quotes them")
  func secrecy() async throws {
    let stub = OAuthStub()
    stub.answer { form in
      .json(
        [
          "error": .string("invalid_grant"),
          "error_description": .string("no such token: \(form["refresh_token"] ?? "") of hush-hush\n\u{1B}[2J"),
        ], status: .badRequest)
    }
    let client = try stub.client(.secretPost("hush-hush"))
    let error = try #require(await failure { try await client.refresh("refresh-secret", in: stub.context) })
    let tokens = TokenSet(accessToken: "access-secret", refreshToken: "refresh-secret", idToken: "id-secret")
    let request = try AuthorizationRequest(client, redirectURI: OAuthStub.redirectURI, state: "state-secret")
    var text = ""
    let values: [Any] = [
      error, error.underlying as Any, tokens, client, try stub.authenticator(), request, ClientAuthentication.none,
      request.pkce, OAuthParameters([.init("assertion", "access-secret")]),
    ]
    for value in values {
      dump(value, to: &text)
      text += "\(value) \(String(reflecting: value))"
    }
    for secret in ["refresh-secret", "access-secret", "id-secret", "hush-hush", "state-secret", "\u{1B}"] {
      #expect(!text.contains(secret))
    }
    #expect(!text.contains(request.pkce.verifier.reveal()))
    #expect(text.contains("‹secret›"))
  }
}
