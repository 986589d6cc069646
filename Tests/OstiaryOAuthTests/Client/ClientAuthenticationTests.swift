import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("Client authentication: an open set", .timeLimit(.minutes(20)))
struct ClientAuthenticationTests {
  private let stub = OAuthStub()
  private let key: SigningKey
  private let secret = Secret("planted-secret-of-more-than-32-bytes")

  init() throws {
    key = try SigningKey.make(.es256, id: "k1")
    stub.answer { _ in .json(["access_token": "t"]) }
  }

  /// The statement of the last request, as a server believes it.
  private func statement(
    audience: String = "https://as.test", type: String = "client-authentication+jwt"
  ) throws -> VerifiedToken {
    let form = try #require(stub.transport.requests.last?.form)
    #expect(form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
    #expect(form["client_id"] == "app")
    #expect(form["client_secret"] == nil)
    let verifier = TokenVerifier(
      algorithms: [.es256], type: .exactly(type),
      rules: [
        .issuer("app"), .claim("sub", is: "app"), .audience(audience), .unexpired(skew: .zero),
        .expires(within: .seconds(60), skew: .zero), .issued(within: .zero, skew: .zero),
      ])
    let keys = KeySet([try VerificationKey(try #require(key.publicKey))])
    return try verifier.verify(try #require(form["client_assertion"]), with: keys, at: stub.clock.now)
  }

  @Test("OAuth-C1: private_key_jwt: for the issuer as one text, of its own type, for 60 seconds (RFC 7523bis §4)")
  func privateKey() async throws {
    _ = try await stub.client(.privateKeyJWT(key)).refresh("r", in: stub.context)
    let token = try statement()
    #expect(token.claims["aud"] == .string("https://as.test"))
    #expect(token.header.keyID == "k1")
    #expect(token.claims["exp"] == .integer(1_800_000_060))
    #expect(token.claims["iat"] == .integer(1_800_000_000))
    #expect(stub.transport.requests.last?.head.headerFields[.authorization] == nil)
    #expect(stub.transport.requests.last?.form["grant_type"] == "refresh_token")
  }

  @Test("OAuth-C2: each request has a statement with a name of its own")
  func names() async throws {
    let client = try stub.client(.privateKeyJWT(key))
    var names: Set<String> = []
    for _ in 0..<50 {
      _ = try await client.refresh("r", in: stub.context)
      names.insert(try statement().text("jti"))
    }
    #expect(names.count == 50)
    #expect(names.allSatisfy { $0.utf8.count >= 22 })
  }

  @Test("OAuth-C3: the statement is made for the server's clock")
  func serverClock() async throws {
    let session = Session(
      kind: .oauth, server: OAuthStub.url("/"), version: ProofVersion(),
      grant: SessionGrant(user: .init(id: "u"), proof: Proof(), clockSkew: 7200), issuedAt: stub.clock.now)
    let context = AuthenticationContext(transport: stub.transport, clock: stub.clock, previous: session)
    _ = try await stub.client(.privateKeyJWT(key)).refresh("r", in: context)
    let assertion = try #require(stub.transport.requests.last?.form["client_assertion"])
    #expect(try PresentedToken(assertion).unverifiedClaims["iat"] == .integer(1_800_007_200))
  }

  @Test("OAuth-C4: another audience and another type only under a name that can't be overlooked")
  func otherForms() async throws {
    _ = try await stub.client(.privateKeyJWT(key, form: .insecure(audience: .insecureEndpoint)))
      .refresh("r", in: stub.context)
    _ = try statement(audience: "https://as.test/token", type: "JWT")
    let untyped = ClientAssertionForm.insecure(audience: .insecureText("https://x.test"), type: nil)
    _ = try await stub.client(.privateKeyJWT(key, form: untyped)).refresh("r", in: stub.context)
    let assertion = try #require(stub.transport.requests.last?.form["client_assertion"])
    let token = try PresentedToken(assertion)
    #expect(token.unverifiedHeader.type == nil)
    #expect(token.unverifiedClaims["aud"] == "https://x.test")
  }

  @Test("OAuth-C5: without an issuer, nothing is signed and nothing is sent")
  func noIssuer() async throws {
    let client = try OAuthClient(
      id: "app", authentication: .privateKeyJWT(key), endpoints: OAuthEndpoints(token: OAuthStub.url("/token")))
    let error = await failure { try await client.refresh("r", in: stub.context) }
    #expect(error?.code == .invalidInput)
    #expect(stub.transport.count == 0)
  }

  @Test("OAuth-C6: client_secret_jwt: signed with the secret, which itself is not sent")
  func sharedSecret() async throws {
    _ = try await stub.client(.secretJWT(secret)).refresh("r", in: stub.context)
    let request = try #require(stub.transport.requests.last)
    let keys = KeySet([try VerificationKey(insecureSharedSecret: secret, algorithm: .insecureHS256)])
    let verifier = TokenVerifier(
      algorithms: [.insecureHS256], type: .exactly("client-authentication+jwt"),
      rules: [.issuer("app"), .audience("https://as.test")])
    _ = try verifier.verify(try #require(request.form["client_assertion"]), with: keys, at: stub.clock.now)
    #expect(!String(decoding: request.body ?? Data(), as: UTF8.self).contains("planted"))
  }

  @Test("OAuth-C6: a secret that is shorter than the hash, or no secret, is refused")
  func shortSecret() {
    #expect(throws: OstiaryError.self) { try ClientAuthentication.secretJWT("short") }
    #expect(throws: OstiaryError.self) { try ClientAuthentication.secretJWT(secret, algorithm: .insecureHS512) }
    #expect(throws: OstiaryError.self) { try ClientAuthentication.secretJWT(secret, algorithm: .es256) }
  }

  /// A key that is somewhere else, and away now and then.
  private struct Module: TokenSigner {
    struct Away: Error {}
    let key: SigningKey
    let isAway: Locked<Bool>
    var algorithm: SignatureAlgorithm { key.algorithm }
    var keyID: String? { key.keyID }
    func signature(for message: [UInt8]) async throws -> [UInt8] {
      await Task.yield()
      if isAway.withLock({ $0 }) { throw Away() }
      return try key.signature(for: message)
    }
  }

  @Test("OAuth-C7: a key in a hardware module signs; while it is away, that may pass and ends nothing")
  func module() async throws {
    let isAway = Locked(true)
    let authentication = ClientAuthentication.privateKeyJWT(Module(key: key, isAway: isAway))
    let client = try stub.client(authentication)
    let error = try #require(await failure { try await client.refresh("r", in: stub.context) })
    #expect(error.code == .clientKeyUnavailable)
    #expect(error.isTransient)
    #expect(!error.requestMayHaveExecuted)
    #expect(stub.transport.count == 0)
    isAway.withLock { $0 = false }
    _ = try await client.refresh("r", in: stub.context)
    _ = try statement()
  }

  @Test("OAuth-C8: the app's own way is one more, and is asked for each request")
  func ownWay() async throws {
    let count = Locked(0)
    let authentication = ClientAuthentication(method: "own") { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      request.add("ticket", "ticket-\(number) for \(request.clientID)")
      request.authorization = "Own x"
    }
    let client = try stub.client(authentication)
    for number in 1...2 {
      _ = try await client.refresh("r", in: stub.context)
      #expect(stub.transport.requests.last?.form["ticket"] == "ticket-\(number) for app")
      #expect(stub.transport.requests.last?.head.headerFields[.authorization] == "Own x")
    }
    #expect(authentication == client.authentication)
    #expect(authentication != ClientAuthentication(method: "own") { _ in })
    #expect(ClientAuthentication.secretPost("s") == .secretPost("s"))
    #expect(ClientAuthentication.secretPost("s") != .secretBasic("s"))
  }

  @Test("OAuth-C9: neither secrets, keys nor statements are shown, also when the server quotes them")
  func secrecy() async throws {
    var text = ""
    let all: [ClientAuthentication] = [
      .secretBasic(secret), .secretPost(secret), .privateKeyJWT(key), try .secretJWT(secret),
      ClientAuthentication(method: "own", secret: secret) { $0.add("ticket", "planted-ticket") },
    ]
    for authentication in all {
      let shown = Locked<[String]>([])
      stub.answer { form in
        let words = form.all.map(\.value).joined(separator: " ")
        shown.withLock { $0 = ["client_assertion", "ticket", "client_secret"].compactMap { form[$0] } }
        return .json(["error": "invalid_client", "error_description": .string(words)], status: .badRequest)
      }
      let client = try stub.client(authentication)
      let error = try #require(await failure { try await client.refresh("planted-refresh", in: stub.context) })
      let request = ClientRequest(
        clientID: "app", endpoint: OAuthStub.url("/token"), issuer: nil, now: stub.clock.now,
        parameters: ["refresh_token": "planted-refresh"])
      let values: [Any] = [authentication, client, error, error.underlying as Any, request]
      for value in values {
        dump(value, to: &text)
        text += "\(value) \(String(reflecting: value))"
      }
      for value in shown.withLock({ $0 }) { #expect(!text.contains(value)) }
    }
    #expect(!text.contains("planted"))
    #expect(!text.contains(try #require(key.pem).reveal()))
  }
}
