import Foundation
import OstiaryCore
import OstiaryJOSE
import Testing

/// The algorithm, the type and the key are the caller's.
@Suite("What the caller says and the token can't", .timeLimit(.minutes(20)))
struct CallersWordTests {
  private func refused(
    _ text: String, by verifier: TokenVerifier = Sample.verifier(), with keys: KeySet
  ) -> JOSEError.Code? {
    refusal { () throws(JOSEError) in try verifier.verify(text, with: keys, at: Sample.now) }
  }

  @Test(
    "JOSE-10: a key in the header, or an address of one, is never where a key comes from, and is no reason to refuse")
  func headerKeys() throws {
    let own = try SigningKey.make(.es256)
    let attacker = try SigningKey.make(.es256)
    let jwk = Sample.text(try #require(attacker.publicKey).members)
    let more = [
      #""jwk":\#(jwk)"#, #""jku":"https://evil.example/keys""#, #""x5u":"https://evil.example/cert""#,
      #""x5c":["MIIB"]"#,
      #""jwk":\#(jwk),"kid":"\#(try #require(attacker.publicKey).thumbprint)""#,
    ]
    for member in more {
      let header = #"{"alg":"ES256",\#(member)}"#
      #expect(refused(try Sample.token(header: header, attacker), with: try Sample.keys(own)) == .wrongSignature)
      #expect(refused(try Sample.token(header: header, own), with: try Sample.keys(own)) == nil)
    }
  }

  @Test("JOSE-11: a token that is rightly signed with an algorithm that is not allowed is refused, each for each")
  func algorithms() throws {
    for algorithm in SignatureAlgorithm.allPublic {
      let key = try Sample.key(algorithm)
      let text = try key.sign(Sample.claims).reveal()
      let keys = try Sample.keys(key)
      #expect(refused(text, by: Sample.verifier([algorithm]), with: keys) == nil, "\(algorithm)")
      let others = SignatureAlgorithm.allPublic.subtracting([algorithm])
      #expect(refused(text, by: Sample.verifier(others), with: keys) == .algorithmNotAllowed, "\(algorithm)")
      #expect(refused(text, by: Sample.verifier([]), with: keys) == .algorithmNotAllowed, "\(algorithm)")
    }
  }

  @Test("JOSE-11: a key is for its own kind of algorithm, and for its own `alg` alone")
  func kinds() throws {
    for algorithm in SignatureAlgorithm.allPublic {
      let key = try Sample.key(algorithm)
      let jwk = try #require(key.publicKey)
      #expect(jwk.algorithm == algorithm)
      for other in SignatureAlgorithm.allPublic where other != algorithm {
        // Both names of Ed25519 mean the same.
        let isSame = Set([algorithm, other]) == [.edDSA, .ed25519]
        #expect(try VerificationKey(jwk).allows(other) == isSame, "\(algorithm), \(other)")
      }
      #expect(try !VerificationKey(jwk).allows(.insecureHS256))
    }
    // Without `alg`, an RSA key is for all of RSA's.
    var members = try #require(Sample.rsa.get().publicKey).members
    members["alg"] = nil
    let key = try VerificationKey(PublicJWK(members: members))
    #expect(SignatureAlgorithm.allPublic.filter(key.allows).count == 6)
  }

  @Test("JOSE-11: Ed25519 is signed under both of its names (RFC 8037, RFC 9864)")
  func names() throws {
    let pem = try #require(SigningKey.make(.edDSA).pem)
    for algorithm in [SignatureAlgorithm.edDSA, .ed25519] {
      let key = try SigningKey(pem: pem, algorithm: algorithm)
      let text = try key.sign(Sample.claims).reveal()
      #expect(try CompactJWS(text).header.algorithmName == algorithm.name)
      let keys = try Sample.keys(SigningKey(pem: pem, algorithm: .edDSA))
      #expect(refused(text, by: Sample.verifier([algorithm]), with: keys) == nil)
    }
  }

  @Test("JOSE-11: metadata name no shared secret, and nothing that is not known")
  func metadata() {
    for name in ["HS256", "HS384", "HS512", "none", "ES256K", "es256", "RSA-OAEP", "A128KW", ""] {
      #expect(SignatureAlgorithm(name: name) == nil)
    }
    #expect(SignatureAlgorithm(name: "PS384") == .ps384)
  }

  @Test("TK-03, JOSE-12: types tell tokens of different uses apart")
  func types() throws {
    let key = try SigningKey.make(.es256)
    let keys = try Sample.keys(key)
    let cases: [(TokenType, accepted: [String?], refused: [String?])] = [
      (
        .jwtOrAbsent, [nil, "JWT", "jwt", "application/jwt"],
        ["at+jwt", "dpop+jwt", "logout+jwt", "", "JOSE", "application/x/jwt"]
      ),
      (
        .exactly("at+jwt"), ["at+jwt", "AT+JWT", "application/at+jwt"],
        [nil, "JWT", "dpop+jwt", "text/at+jwt", "application/\u{301}at+jwt"]
      ),
      (.anyOf(["logout+jwt", "JWT"], orAbsent: false), ["logout+jwt", "JWT"], [nil, "at+jwt"]),
      (.insecureAny, [nil, "JWT", "x"], []),
    ]
    for (type, accepted, others) in cases {
      let verifier = Sample.verifier(type: type)
      for name in accepted {
        #expect(
          refused(try key.sign(Sample.claims, type: name).reveal(), by: verifier, with: keys) == nil, "\(name ?? "-")")
      }
      for name in others {
        #expect(
          refused(try key.sign(Sample.claims, type: name).reveal(), by: verifier, with: keys) == .wrongType,
          "\(name ?? "-")")
      }
    }
  }

  @Test("JOSE-16: a client's own secret verifies what its server signs, if it is as long as the hash")
  func sharedSecret() throws {
    for (algorithm, count) in [(SignatureAlgorithm.insecureHS256, 32), (.insecureHS384, 48), (.insecureHS512, 64)] {
      let secret = Secret(String(repeating: "s3cr+t/ä", count: 8).prefix(count).description)
      let length = secret.reveal().utf8.count
      #expect(length >= count)
      let signed = try SigningKey(insecureSharedSecret: secret, algorithm: algorithm).sign(Sample.claims).reveal()
      let key = try VerificationKey(insecureSharedSecret: secret, algorithm: algorithm)
      #expect(key.jwk == nil)
      let verifier = Sample.verifier([algorithm, .es256])
      #expect(refused(signed, by: verifier, with: KeySet([key])) == nil)
      #expect(refused(signed, by: Sample.verifier([.es256]), with: KeySet([key])) == .algorithmNotAllowed)
      let other = try VerificationKey(
        insecureSharedBytes: Array(repeating: 7, count: 64), algorithm: algorithm)
      #expect(refused(signed, by: verifier, with: KeySet([other])) == .wrongSignature)
      let short = [UInt8](repeating: 7, count: count - 1)
      #expect(
        refusal { () throws(JOSEError) in try VerificationKey(insecureSharedBytes: short, algorithm: algorithm) }
          == .unusableKey)
      #expect(
        refusal { () throws(JOSEError) in try SigningKey(insecureSharedBytes: short, algorithm: algorithm) }
          == .unusableKey)
    }
    let long = [UInt8](repeating: 7, count: 64)
    #expect(
      refusal { () throws(JOSEError) in try VerificationKey(insecureSharedBytes: long, algorithm: .es256) }
        == .keyNotAllowed)
    // A secret is for one hash.
    let key = try VerificationKey(insecureSharedBytes: long, algorithm: .insecureHS256)
    #expect(key.allows(.insecureHS256) && !key.allows(.insecureHS512) && !key.allows(.es256))
  }
}
