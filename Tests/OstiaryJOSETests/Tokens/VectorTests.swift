import Foundation
import OstiaryCore
import OstiaryJOSE
import Testing

@Suite("Examples of the RFCs, and another library's tokens", .timeLimit(.minutes(20)))
struct VectorTests {
  @Test("JOSE-18: RFC 7515 appendix A.1 to A.4 and RFC 8037 appendix A.4 verify, and not when a bit is changed")
  func examples() throws {
    let examples = try Vectors.rfc().signed
    #expect(examples.count == 5)
    for example in examples {
      let algorithm = try Vectors.algorithm(example.algorithm)
      let key = try verificationKey(example, algorithm)
      let compact = try CompactJWS(example.token)
      #expect(try compact.signer(among: KeySet([key]), allowing: [algorithm]).algorithm == algorithm, "\(example.name)")

      let parts = example.token.split(separator: ".").map(String.init)
      let bytes = try #require(StrictBase64URL.decode(parts[2]))
      for place in [0, bytes.count / 2, bytes.count - 1] {
        var changed = bytes
        changed[place] ^= 1
        let forged = try CompactJWS("\(parts[0]).\(parts[1]).\(StrictBase64URL.encode(changed))")
        #expect(
          refusal { () throws(JOSEError) in try forged.signer(among: KeySet([key]), allowing: [algorithm]) }
            == .wrongSignature, "\(example.name)")
      }
      let other = try CompactJWS("\(parts[0]).\(Sample.part("{}")).\(parts[2])")
      #expect(
        refusal { () throws(JOSEError) in try other.signer(among: KeySet([key]), allowing: [algorithm]) }
          == .wrongSignature, "\(example.name)")
    }
  }

  @Test(
    "JOSE-18: what is signed with the RFCs' private keys verifies, and is the RFC's signature where there is only one")
  func signing() throws {
    for example in try Vectors.rfc().signed {
      let algorithm = try Vectors.algorithm(example.algorithm)
      let key = try signingKey(example, algorithm)
      let parts = example.token.split(separator: ".").map(String.init)
      let message = Array("\(parts[0]).\(parts[1])".utf8)
      let signature = StrictBase64URL.encode(try key.signature(for: message))
      // Elliptic curves' signatures have a random number in them.
      if !example.algorithm.hasPrefix("ES") { #expect(signature == parts[2], "\(example.name)") }
      let compact = try CompactJWS("\(parts[0]).\(parts[1]).\(signature)")
      let keys = KeySet([try verificationKey(example, algorithm)])
      #expect(throws: Never.self) { try compact.signer(among: keys, allowing: [algorithm]) }
    }
  }

  @Test("JOSE-18: RFC 7515 appendix A.2 and A.3 are tokens with claims")
  func claims() throws {
    for example in try Vectors.rfc().signed where ["RS256", "ES256"].contains(example.algorithm) {
      let algorithm = try Vectors.algorithm(example.algorithm)
      let verifier = TokenVerifier(algorithms: [algorithm], type: .jwtOrAbsent, rules: [.issuer("joe"), .unexpired()])
      let keys = KeySet([try verificationKey(example, algorithm)])
      let then = Date(timeIntervalSince1970: 1_300_819_379)
      let token = try verifier.verify(example.token, with: keys, at: then)
      #expect(token.claims == ["iss": "joe", "exp": 1_300_819_380, "http://example.com/is_root": true])
      #expect(
        refusal { () throws(JOSEError) in try verifier.verify(example.token, with: keys, at: Sample.now) } == .expired)
    }
  }

  @Test("JOSE-17: RFC 7638 §3.1 and RFC 8037 appendix A.3: the thumbprints")
  func thumbprints() throws {
    let set = try #require(Vectors.rfc().keys["keys"]?.array)
    let rsa = try PublicJWK(members: #require(set.last?.object))
    #expect(rsa.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    var point = try #require(set.first?.object)
    // The example is for encryption, which has no part in a thumbprint.
    point["use"] = nil
    #expect(try PublicJWK(members: point).thumbprint == "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s")
    let edwards = try PublicJWK(
      members: ["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"])
    #expect(edwards.thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
  }

  @Test(
    "JOSE-13: RFC 7517 appendix A.1: of the key set the key for signatures is used, and the one for encryption is not")
  func keySet() throws {
    let keys = try KeySet(json: JSONEncoder().encode(Vectors.rfc().keys))
    #expect(keys.keys.map(\.id) == ["2011-04-29"] && keys.unusedCount == 1)
    #expect(try KeySet(json: JSONEncoder().encode(Vectors.rfc().privateKeys)).keys.isEmpty)
  }

  @Test("JOSE-18: another library's token verifies by its key in JSON and in PEM", arguments: Vectors.foreign)
  func foreign(_ vector: Vectors.Foreign) throws {
    let algorithm = try Vectors.algorithm(vector.algorithm)
    let jwk = try PublicJWK(members: vector.jwk)
    #expect(jwk.thumbprint == vector.thumbprint)
    for key in [try VerificationKey(jwk), try VerificationKey(pem: vector.pem, id: jwk.id)] {
      #expect(key.jwk?.thumbprint == vector.thumbprint)
      let token = try Sample.verifier([algorithm]).verify(vector.token, with: KeySet([key]), at: Sample.now)
      #expect(token.claims["sub"] == "änn" && token.algorithm == algorithm && token.key.id == jwk.id)
    }
    // Its private key signs here, and the public one verifies.
    let key = try SigningKey(pem: Secret(vector.privatePEM), algorithm: algorithm)
    #expect(key.publicKey?.thumbprint == vector.thumbprint)
    let own = try key.sign(Sample.claims).reveal()
    #expect(throws: Never.self) {
      try Sample.verifier([algorithm]).verify(own, with: KeySet([VerificationKey(jwk)]), at: Sample.now)
    }
  }

  @Test("The fixtures have every algorithm with a public key")
  func complete() {
    let names = Set(Vectors.foreign.map(\.algorithm))
    #expect(names == Set(SignatureAlgorithm.allPublic.map(\.name)).subtracting(["Ed25519"]))
  }

  private func signingKey(_ example: Vectors.Example, _ algorithm: SignatureAlgorithm) throws -> SigningKey {
    guard !algorithm.name.hasPrefix("HS") else {
      return try SigningKey(insecureSharedBytes: secret(example), algorithm: algorithm)
    }
    return try SigningKey(jwk: Secret(example.jwk), algorithm: algorithm)
  }

  private func verificationKey(_ example: Vectors.Example, _ algorithm: SignatureAlgorithm) throws -> VerificationKey {
    guard !algorithm.name.hasPrefix("HS") else {
      return try VerificationKey(insecureSharedBytes: secret(example), algorithm: algorithm)
    }
    let key = try SigningKey(jwk: Secret(example.jwk), algorithm: algorithm)
    return try VerificationKey(#require(key.publicKey))
  }

  private func secret(_ example: Vectors.Example) throws -> [UInt8] {
    let members = try #require(JSONValue(json: Data(example.jwk.utf8)))
    return try #require(members["k"]?.string.flatMap { StrictBase64URL.decode($0) })
  }
}
