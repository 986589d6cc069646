import Foundation
import OstiaryCore
import OstiaryJOSE
import Testing

@Suite("Proofs of possession, made", .timeLimit(.minutes(20)))
struct DPoPProofMakerTests {
  private let key: SigningKey
  private let maker: DPoPProofMaker
  private let token = Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")

  init() throws {
    key = try SigningKey.make(.es256, id: "own-name")
    maker = try DPoPProofMaker(key)
  }

  private func statement(_ address: String = "https://as.example/token", nonce: String? = nil)
    -> DPoPProofMaker.Statement
  {
    DPoPProofMaker.Statement(
      method: "POST", address: address, issuedAt: Sample.now, accessTokenHash: DPoPProofMaker.hash(of: token),
      nonce: nonce)
  }

  @Test("JOSE-19: RFC 9449 §4.2: what is made is what the verifier believes, for this request and this token alone")
  func believed() throws {
    let verifier = DPoPProofVerifier(lifetime: .zero, skew: .zero)
    let text = try maker.proof(statement(nonce: "n-1"))
    let request = DPoPProofVerifier.Request(
      method: "POST", address: "https://as.example/token", accessToken: token, nonces: ["n-1"])
    let proof = try verifier.verify(text, for: request, at: Sample.now)
    #expect(proof.thumbprint == maker.thumbprint)
    #expect(proof.thumbprint == key.publicKey?.thumbprint)
    #expect(proof.nonce == "n-1")
    var other = request
    other.accessToken = "another"
    #expect(
      refusal { () throws(JOSEError) in try verifier.verify(text, for: other, at: Sample.now) } == .wrongAccessToken)
  }

  @Test("JOSE-19: the header has the type, the algorithm and the public key, and nothing more")
  func header() throws {
    let token = try PresentedToken(maker.proof(statement()))
    let header = token.unverifiedHeader
    #expect(Set(header.members.keys) == ["typ", "alg", "jwk"])
    #expect(header.type == "dpop+jwt" && header.algorithmName == "ES256")
    let jwk = try #require(header.members["jwk"]?.object)
    #expect(Set(jwk.keys) == ["kty", "crv", "x", "y"])
    #expect(token.unverifiedClaims["nonce"] == nil)
    #expect(token.unverifiedClaims["iat"] == .integer(1_800_000_000))
  }

  @Test("JOSE-19: the address goes without query and fragment")
  func address() throws {
    for address in [
      "https://as.example/token", "https://as.example/token?access_token=secret", "https://as.example/token#part",
      "https://as.example/token?#", "https://as.example/token#a?b",
    ] {
      let token = try PresentedToken(maker.proof(statement(address)))
      #expect(token.unverifiedClaims["htu"] == "https://as.example/token", "\(address)")
    }
  }

  @Test("JOSE-19: no two proofs have the same name")
  func names() throws {
    var names: Set<String> = []
    for _ in 0..<200 {
      let name = try #require(try PresentedToken(maker.proof(statement())).unverifiedClaims["jti"]?.string)
      #expect(name.utf8.count == 22)
      names.insert(name)
    }
    #expect(names.count == 200)
    // Every character of a name varies; the last one has two bits.
    for place in 0..<22 {
      #expect(Set(names.map { Array($0.utf8)[place] }).count >= (place == 21 ? 4 : 16), "\(place)")
    }
  }

  @Test("JOSE-19: texts that JSON has to escape don't break the claims, and times that are none don't trap")
  func strangeInput() throws {
    let strange = DPoPProofMaker.Statement(
      method: "A\"B\\C\n", address: "https://as.example/\"},{\"htu\":\"x", issuedAt: Date(timeIntervalSince1970: .nan))
    let claims = try PresentedToken(maker.proof(strange)).unverifiedClaims
    #expect(claims["htm"] == "A\"B\\C\n")
    #expect(claims["htu"] == "https://as.example/\"},{\"htu\":\"x")
    #expect(claims["iat"] == 0)
    for seconds in [-Double.infinity, .infinity, -1, 1e300] {
      let statement = DPoPProofMaker.Statement(
        method: "GET", address: "https://as.example/", issuedAt: Date(timeIntervalSince1970: seconds))
      #expect(try PresentedToken(maker.proof(statement)).unverifiedClaims["iat"]?.double != nil)
    }
  }

  @Test("JOSE-19: other algorithms prove as well; a shared secret does not, nor an algorithm of another kind")
  func otherKeys() throws {
    for algorithm in [SignatureAlgorithm.edDSA, .es384] {
      let maker = try DPoPProofMaker(SigningKey.make(algorithm))
      let verifier = DPoPProofVerifier(algorithms: [algorithm])
      let request = DPoPProofVerifier.Request(method: "POST", address: "https://as.example/token", accessToken: token)
      _ = try verifier.verify(maker.proof(statement()), for: request, at: Sample.now)
    }
    let secret = try SigningKey(
      insecureSharedSecret: Secret(String(repeating: "s", count: 32)), algorithm: .insecureHS256)
    #expect(throws: JOSEError.self) { try DPoPProofMaker(secret) }
    let jwk = try #require(key.publicKey)
    #expect(throws: JOSEError.self) { try DPoPProofMaker(jwk, .edDSA) { $0 } }
  }

  @Test("JOSE-19: an ES256 key is kept as 32 bytes; what is none makes no key")
  func keptBytes() throws {
    let bytes = try #require(key.p256Bytes)
    #expect(bytes.count == 32)
    #expect(try SigningKey(p256Bytes: bytes).publicKey?.thumbprint == key.publicKey?.thumbprint)
    for wrong in [
      [], Array(bytes.dropLast()), bytes + [1], [UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32),
    ] {
      #expect(throws: JOSEError.self) { try SigningKey(p256Bytes: wrong) }
    }
    #expect(try SigningKey.make(.es384).p256Bytes == nil)
  }

  @Test("JOSE-19: bytes as text at the end of a text are the same as by themselves")
  func appended() {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      var text = Array("head.".utf8)
      StrictBase64URL.append(bytes, to: &text)
      #expect(String(decoding: text, as: UTF8.self) == "head." + StrictBase64URL.encode(bytes))
    }
  }

  @Test("JOSE-19: a maker prints as its key's thumbprint")
  func secrecy() throws {
    var text = ""
    dump(maker, to: &text)
    text += "\(maker) \(String(reflecting: maker))"
    #expect(text.contains(maker.thumbprint))
    let bytes = try #require(key.p256Bytes)
    #expect(!text.contains(StrictBase64URL.encode(bytes)))
  }
}
