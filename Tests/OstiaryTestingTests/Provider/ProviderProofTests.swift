import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryTesting
import Testing

@Suite struct ProviderProofTests {
  private let key = Result { try SigningKey.make(.es256) }

  private func visitor(_ nonces: NonceMode) throws -> ProviderVisitor {
    var settings = ProviderSettings()
    settings.nonces = nonces
    return try ProviderVisitor(settings)
  }

  @Test("KIT-20 Tokens for a proof are bound to its key, and of no use without it")
  func bound() async throws {
    let (visitor, key) = (try visitor(.none), try key.get())
    let other = try SigningKey.make(.es256)
    let answer = try await visitor.signIn(fields: visitor.proof(key))
    #expect(answer["token_type"] == "DPoP")
    let token = answer["access_token"]
    func use(_ key: SigningKey, access: JSONValue?, method: String = "GET") async throws -> TransportResponse {
      try await visitor.use(
        token, scheme: "DPoP", fields: visitor.proof(key, method, .resource, access: access))
    }
    #expect(try await use(key, access: token).status == .ok)
    #expect(try await use(other, access: token).status == .unauthorized)
    #expect(try await use(key, access: "another").challenge.contains("invalid_dpop_proof"))
    #expect(try await use(key, access: token, method: "POST").challenge.contains("invalid_dpop_proof"))
    #expect(try await visitor.use(token).challenge.contains("invalid_token"))
    #expect(try await visitor.use(token, scheme: "DPoP").challenge.contains("invalid_dpop_proof"))
    // A public client's refresh token is bound, too (RFC 9449 §5).
    let refresh = answer["refresh_token"]
    #expect(try await visitor.renew(refresh, fields: visitor.proof(other)).error == "invalid_grant")
    #expect(try await visitor.renew(refresh).error == "invalid_grant")
    #expect(try await visitor.renew(refresh, fields: visitor.proof(key)).status == .ok)
  }

  @Test("KIT-21 A proof is good once, and a code is bound to the key that its request named")
  func once() async throws {
    let (visitor, key) = (try visitor(.none), try key.get())
    let proof = try visitor.proof(key)
    #expect(try await visitor.exchange(visitor.callback()["code"], fields: proof).status == .ok)
    #expect(try await visitor.exchange(visitor.callback()["code"], fields: proof).error == "invalid_dpop_proof")
    let named = [("dpop_jkt", try #require(key.publicKey).thumbprint)]
    let code = try visitor.callback(named)["code"]
    #expect(try await visitor.exchange(code).error == "invalid_grant")
    let second = try visitor.callback(named)["code"]
    #expect(try await visitor.exchange(second, fields: visitor.proof(key)).status == .ok)
    visitor.provider.settings.requiresProofs = true
    #expect(try await visitor.exchange(visitor.callback()["code"]).error == "invalid_dpop_proof")
  }

  @Test("KIT-22 A fixed nonce is demanded, told by each answer, and another one at the API")
  func fixed() async throws {
    let (visitor, key) = (try visitor(.fixed), try key.get())
    let code = try visitor.callback()["code"]
    let refused = try await visitor.exchange(code, fields: visitor.proof(key))
    #expect(refused.status == .badRequest)
    #expect(refused.error == "use_dpop_nonce")
    let nonce = try #require(refused.nonce)
    let answer = try await visitor.exchange(code, fields: visitor.proof(key, nonce: nonce))
    #expect(answer.status == .ok)
    #expect(answer.nonce == nonce)
    #expect(visitor.provider.counts.demandedNonces == 1)
    let token = answer.members["access_token"]
    func use(_ nonce: String?) async throws -> TransportResponse {
      try await visitor.use(
        token, scheme: "DPoP", fields: visitor.proof(key, "GET", .resource, nonce: nonce, access: token))
    }
    let atAPI = try await use(nonce)
    #expect(atAPI.status == .unauthorized)
    #expect(atAPI.challenge.contains("use_dpop_nonce"))
    #expect(try await use(atAPI.nonce).status == .ok)
  }

  @Test("KIT-23 Nonces that change with each answer: the earlier ones stay good, or only the newest is")
  func changing() async throws {
    let key = try key.get()
    for (mode, earlierIsGood) in [(NonceMode.eachAnswer, true), (.onlyNewest, false)] {
      let visitor = try visitor(mode)
      let first = try await visitor.exchange("none", fields: visitor.proof(key)).nonce
      let second = try await visitor.exchange("none", fields: visitor.proof(key, nonce: first)).nonce
      #expect(first != second)
      let code = try visitor.callback()["code"]
      let earlier = try await visitor.exchange(code, fields: visitor.proof(key, nonce: first))
      #expect((earlier.status == .ok) == earlierIsGood, "\(mode)")
      if !earlierIsGood {
        #expect(earlier.error == "use_dpop_nonce")
        #expect(try await visitor.exchange(code, fields: visitor.proof(key, nonce: earlier.nonce)).status == .ok)
      }
    }
  }

  @Test("KIT-24 A client that has a secret proves itself with it, one that has a key with that")
  func clients() async throws {
    let key = try key.get()
    var settings = ProviderSettings()
    let secret = "0123456789012345678901234567890123456789"
    settings.clients = [
      ProviderClient(id: "a b", secret: Secret(secret)), ProviderClient(id: "keyed", key: key.publicKey),
    ]
    let visitor = try ProviderVisitor(settings)
    func ask(_ form: [(String, String)], _ fields: HTTPFields = [:]) async throws -> String? {
      try await visitor.post(.token, [("grant_type", "client_credentials")] + form, fields: fields).error
    }
    let basic = Data("a+b:\(secret)".utf8).base64EncodedString()
    #expect(try await ask([], [.authorization: "Basic " + basic]) == nil)
    #expect(try await ask([("client_id", "a b"), ("client_secret", secret)]) == nil)
    #expect(try await ask([("client_id", "a b"), ("client_secret", "wrong")]) == "invalid_client")
    #expect(try await ask([("client_id", "a b")]) == "invalid_client")
    #expect(try await ask([("client_id", "keyed")]) == "invalid_client")
    #expect(try await ask([("client_id", "unknown")]) == "invalid_client")
    #expect(
      try await ask([("client_id", "a b"), ("client_secret", secret)], [.authorization: "Basic " + basic])
        == "invalid_request")
    let shared = try SigningKey(insecureSharedSecret: Secret(secret), algorithm: .insecureHS256)
    func assertion(
      _ key: SigningKey, _ id: String, audience: JSONValue = .string("https://provider.example"), jti: String
    ) throws -> [(String, String)] {
      let claims: [String: JSONValue] = [
        "iss": .string(id), "sub": .string(id), "aud": audience, "jti": .string(jti),
        "exp": .integer(Int64(visitor.clock.now.timeIntervalSince1970) + 60),
      ]
      return [
        ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        ("client_assertion", try key.sign(claims, type: "client-authentication+jwt").reveal()),
      ]
    }
    #expect(try await ask(assertion(key, "keyed", jti: "1")) == nil)
    #expect(try await ask(assertion(key, "keyed", jti: "1")) == "invalid_client")
    #expect(try await ask(assertion(shared, "a b", jti: "2")) == nil)
    #expect(try await ask(assertion(key, "a b", jti: "3")) == "invalid_client")
    let token: JSONValue = "https://provider.example/token"
    #expect(try await ask(assertion(key, "keyed", audience: token, jti: "4")) == "invalid_client")
    let list: JSONValue = .array(["https://provider.example"])
    #expect(try await ask(assertion(key, "keyed", audience: list, jti: "5")) == "invalid_client")
  }
}
