import Foundation
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("OpenID-3: the signature of an ID token", .timeLimit(.minutes(20)))
struct IDTokenSignatureTests {
  private static func part(_ text: String) -> String { StrictBase64URL.encode(Array(text.utf8)) }

  /// A token whose header and key are of the test's choice.
  private static func token(
    _ claims: [String: JSONValue], header: [String: JSONValue], _ key: SigningKey?
  ) throws -> String {
    let head = String(decoding: CompactJSON.object(header) ?? [], as: UTF8.self)
    let body = String(decoding: CompactJSON.object(claims) ?? [], as: UTF8.self)
    let message = part(head) + "." + part(body)
    return message + "." + StrictBase64URL.encode(try key?.signature(for: Array(message.utf8)) ?? [])
  }

  @Test(
    "OpenID-3: oidcc-client-test-invalid-sig-rs256, oidcc-client-test-invalid-sig-es256: a wrong signature is refused",
    arguments: [SignatureAlgorithm.rs256, .es256, .edDSA])
  func wrong(_ algorithm: SignatureAlgorithm) async throws {
    let key = try SigningKey.make(algorithm, id: "k1")
    let other = try SigningKey.make(algorithm, id: "k1")
    let stub = try OpenIDStub(key)
    #expect(try await stub.refusal() == nil)
    stub.state.withLock { $0.signer = other }
    let error = try #require(try await stub.refusal())
    #expect(error.code == .wrongSignature)
    #expect(error.source == "RFC 7515 §5.2")
  }

  @Test("OpenID-3: oidcc-client-test-idtoken-sig-rs256: a right signature is believed")
  func right() async throws {
    let stub = try OpenIDStub(SigningKey.make(.rs256, id: "k1"))
    #expect(try await stub.refusal() == nil)
  }

  @Test("OpenID-3: oidcc-client-test-idtoken-sig-none: what is not signed is refused, and no key is asked for")
  func unsigned() async throws {
    let stub = try OpenIDStub()
    stub.state.withLock { $0.sign = { claims, _ in try Self.token(claims, header: ["alg": "none"], nil) } }
    #expect(try await stub.refusal()?.code == .unsigned)
    #expect(stub.keyRequests == 0)
  }

  @Test("OpenID-3: oidcc-client-test-invalid-sig-hs256: the client's secret verifies only where the policy says so")
  func secret() async throws {
    let secret = Secret(String(repeating: "s", count: 32))
    let stub = try OpenIDStub()
    let wrong = Secret(String(repeating: "t", count: 32))
    let key = try SigningKey(insecureSharedSecret: secret, algorithm: .insecureHS256)
    stub.state.withLock { $0.signer = key }
    let allowed = try stub.client(.secretBasic(secret)) { $0.algorithms = [.insecureHS256] }
    #expect(try await stub.refusal(stub.authenticator(allowed)) == nil)
    let other = try stub.client(.secretBasic(wrong)) { $0.algorithms = [.insecureHS256] }
    #expect(try await stub.refusal(stub.authenticator(other))?.code == .wrongSignature)
    let none = try stub.client { $0.algorithms = [.insecureHS256] }
    #expect(try await stub.refusal(stub.authenticator(none))?.source == "OpenID Connect Core §3.1.3.7 (8)")
    let short = try stub.client(.secretBasic("short")) { $0.algorithms = [.insecureHS256] }
    #expect(try await stub.refusal(stub.authenticator(short))?.code == .unusableKey)
    let byDefault = try stub.client(.secretBasic(secret))
    #expect(try await stub.refusal(stub.authenticator(byDefault))?.code == .algorithmNotAllowed)
    #expect(stub.keyRequests == 0)
  }

  @Test("OpenID-3: an algorithm that the policy does not allow is refused, whatever keys there are")
  func algorithm() async throws {
    let stub = try OpenIDStub()
    let client = try stub.client { $0.algorithms = [.rs256] }
    let error = try #require(try await stub.refusal(stub.authenticator(client)))
    #expect(error.code == .algorithmNotAllowed)
    #expect(error.source == "OpenID Connect Core §3.1.3.7 (7)")
    #expect(stub.keyRequests == 0)
  }

  @Test("OpenID-3: oidcc-client-test-kid-absent-single-jwks: without a name, the issuer's only key is the one")
  func single() async throws {
    let stub = try OpenIDStub(SigningKey.make(.es256))
    #expect(try await stub.refusal() == nil)
  }

  @Test("OpenID-3: oidcc-client-test-kid-absent-multiple-jwks: without a name, a key that has signed it is looked for")
  func several() async throws {
    let keys = try (0..<3).map { _ in try SigningKey.make(.es256) }
    let stub = try OpenIDStub(keys[2])
    stub.state.withLock { $0.published = keys }
    #expect(try await stub.refusal() == nil)
    stub.state.withLock { $0.published = Array(keys.dropLast()) }
    #expect(try await stub.refusal()?.code == .wrongSignature)
  }

  @Test("OpenID-3: a name that no key of the issuer's has is refused")
  func unknown() async throws {
    let stub = try OpenIDStub()
    let other = try SigningKey.make(.es256, id: "k2")
    stub.state.withLock { $0.signer = other }
    #expect(try await stub.refusal()?.code == .unknownKey)
  }

  @Test("OpenID-3: a key that the token brings is no key")
  func ownKey() async throws {
    let stub = try OpenIDStub()
    let attacker = try SigningKey.make(.es256, id: "k1")
    let jwk = try #require(attacker.publicKey?.members)
    stub.state.withLock { state in
      state.sign = { claims, _ in
        try Self.token(
          claims, header: ["alg": "ES256", "kid": "k1", "jwk": .object(jwk), "jku": "https://evil.test"], attacker)
      }
    }
    #expect(try await stub.refusal()?.code == .wrongSignature)
  }

  @Test("OpenID-3: a logout token or an access token is no ID token", arguments: ["logout+jwt", "at+jwt", "dpop+jwt"])
  func otherType(_ type: String) async throws {
    let stub = try OpenIDStub()
    stub.state.withLock { $0.sign = { claims, key in try key.sign(claims, type: type).reveal() } }
    #expect(try await stub.refusal()?.code == .wrongType)
  }

  @Test("OpenID-3: what is no token at all is refused", arguments: ["x", "a.b.c", "a.b.c.d.e"])
  func garbage(_ text: String) async throws {
    let stub = try OpenIDStub()
    stub.state.withLock { $0.sign = { _, _ in text } }
    #expect(try await stub.refusal() != nil)
    #expect(stub.keyRequests == 0)
  }

  @Test("OpenID-3, Bug-A05: keys that can't be had say nothing of a sign-in: its tokens are kept and judged later")
  func keysAway() async throws {
    let stub = try OpenIDStub()
    let authenticator = try stub.authenticator()
    for failure in [
      OstiaryError(.cannotConnect, "Down."), OstiaryError(.serverUnavailable, "503."),
      OstiaryError(.unexpectedResponse, "A page.", disposition: .terminal),
      OstiaryError(.invalidRequest, "No address.", disposition: .misuse),
    ] {
      stub.state.withLock { $0.keysFailure = failure }
      let grant = try await authenticator.signIn(with: .byHandler, in: stub.oauth.context)
      #expect(grant.needsIdentification)
      let error = await TestSupport.failure { try await authenticator.identify(grant, in: stub.oauth.context) }
      #expect(error?.isTransient == true)
      // Hours later the token is no worse.
      stub.oauth.clock.advance(by: .seconds(7200))
      stub.state.withLock { $0.keysFailure = nil }
      let identified = try await authenticator.identify(grant, in: stub.oauth.context)
      #expect(identified.user.id == "ann")
      #expect(identified.proof.tokens["access_token"]?.reveal().hasPrefix("access-") == true)
    }
    #expect(stub.oauth.state.withLock { $0.revoked }.isEmpty)
  }
}
