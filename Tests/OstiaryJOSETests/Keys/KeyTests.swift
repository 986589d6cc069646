import Crypto
import Foundation
import OstiaryCore
import OstiaryJOSE
import Testing

@Suite("Keys", .timeLimit(.minutes(20)))
struct KeyTests {
  @Test("JOSE-17: a thumbprint is of the key alone: names, algorithms and the order of members change nothing")
  func thumbprints() throws {
    for algorithm in SignatureAlgorithm.allPublic {
      let jwk = try #require(Sample.key(algorithm).publicKey)
      var members = jwk.members
      members["kid"] = "other"
      members["alg"] = nil
      members["x5c"] = .array(["x"])
      #expect(try PublicJWK(members: members).thumbprint == jwk.thumbprint)
      #expect(StrictBase64URL.decode(jwk.thumbprint)?.count == 32)
      #expect(try PublicJWK(json: Data(Sample.text(jwk.members).utf8)) == jwk)
    }
  }

  @Test("JOSE-17: a key has one text: zeros before a number, and coordinates without theirs, are refused")
  func oneText() throws {
    var rsa = try #require(Sample.rsa.get().publicKey).members
    let modulus = try #require(rsa["n"]?.string.flatMap { StrictBase64URL.decode($0) })
    rsa["n"] = .string(StrictBase64URL.encode([0] + modulus))
    #expect(refusal { () throws(JOSEError) in try PublicJWK(members: rsa) } == .unusableKey)
    rsa["n"] = .string(StrictBase64URL.encode(modulus))
    rsa["e"] = .string(StrictBase64URL.encode([0, 1, 0, 1] as [UInt8]))
    #expect(refusal { () throws(JOSEError) in try PublicJWK(members: rsa) } == .unusableKey)
    let point = try #require(SigningKey.make(.es256).publicKey).members
    let x = try #require(point["x"]?.string.flatMap { StrictBase64URL.decode($0) })
    for changed in [[0] + x, Array(x.dropFirst())] {
      let members = point.merging(["x": .string(StrictBase64URL.encode(changed))]) { $1 }
      #expect(refusal { () throws(JOSEError) in try PublicJWK(members: members) } == .unusableKey)
    }
  }

  @Test("JOSE-19: a point that is not on its curve is no key")
  func offCurve() throws {
    for (curve, count) in [("P-256", 32), ("P-384", 48), ("P-521", 66)] {
      for fill in [0, 1, 0xFF] as [UInt8] {
        let text = JSONValue.string(StrictBase64URL.encode([UInt8](repeating: fill, count: count)))
        let jwk = try PublicJWK(members: ["kty": "EC", "crv": .string(curve), "x": text, "y": text])
        #expect(refusal { () throws(JOSEError) in try VerificationKey(jwk) } == .unusableKey, "\(curve)")
      }
    }
  }

  @Test("A private key comes back from its PEM and from its JSON, for every algorithm")
  func privateKeys() throws {
    for algorithm in SignatureAlgorithm.allPublic {
      let key = try Sample.key(algorithm)
      let again = try SigningKey(pem: #require(key.pem), algorithm: algorithm, id: "k")
      #expect(again.publicKey?.thumbprint == key.publicKey?.thumbprint && again.keyID == "k")
      for other in SignatureAlgorithm.allPublic.map(\.self) + [.insecureHS256] {
        let code = refusal { () throws(JOSEError) in
          try SigningKey(pem: key.pem ?? "", algorithm: other)
        }
        let fits = Self.family(other) == Self.family(algorithm)
        #expect(fits ? code == nil : code == .unusableKey, "\(algorithm), \(other)")
      }
    }
  }

  private static func family(_ algorithm: SignatureAlgorithm) -> String {
    switch algorithm {
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: "RSA"
    case .edDSA, .ed25519: "Ed25519"
    default: algorithm.name
    }
  }

  @Test("A private key whose public half is another's, or that lacks a number, is none")
  func halves() throws {
    let examples = try Vectors.rfc().signed.filter { $0.algorithm != "HS256" }
    for example in examples {
      let algorithm = try Vectors.algorithm(example.algorithm)
      let members = try #require(JSONValue(json: Data(example.jwk.utf8))?.object)
      func refused(_ changes: [String: JSONValue?]) -> JOSEError.Code? {
        var changed = members
        for (name, value) in changes { changed[name] = value }
        let text = Secret(Sample.text(changed))
        return refusal { () throws(JOSEError) in try SigningKey(jwk: text, algorithm: algorithm) }
      }
      #expect(refused([:]) == nil, "\(example.name)")
      #expect(refused(["d": nil]) == .unusableKey, "\(example.name)")
      #expect(refused(["d": "AAAA"]) == .unusableKey, "\(example.name)")
      #expect(refused(["alg": "PS512"]) == .keyNotAllowed, "\(example.name)")
      let other = try #require(Sample.key(algorithm).publicKey).members
      #expect(
        refused(other.filter { ["x", "y", "n"].contains($0.key) }.mapValues { Optional($0) }) == .unusableKey,
        "\(example.name)")
    }
    #expect(
      refusal { () throws(JOSEError) in try SigningKey(jwk: Secret(examples[1].jwk)) } == .keyNotAllowed)
    #expect(
      refusal { () throws(JOSEError) in try SigningKey(jwk: #"{"kty":"EC","kty":"EC"}"#, algorithm: .es256) }
        == .repeatedMember)
  }

  @Test(
    "Invariant 14: what is no PEM of a key is none",
    arguments: [
      "", "-----BEGIN PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----",
      "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
      "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
      "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----", "MCowBQYDK2VwAyEA",
    ])
  func noPEM(_ text: String) {
    #expect(refusal { () throws(JOSEError) in try VerificationKey(pem: text) } == .unusableKey)
    for algorithm in [SignatureAlgorithm.es256, .es384, .es512, .rs256, .edDSA, .insecureHS256] {
      #expect(
        refusal { () throws(JOSEError) in try SigningKey(pem: Secret(text), algorithm: algorithm) } == .unusableKey)
    }
  }

  @Test("A public key in PEM for one algorithm alone")
  func restricted() throws {
    let pem = P256.Signing.PrivateKey().publicKey.pemRepresentation
    let key = try VerificationKey(pem: pem, id: "p", algorithm: .es256)
    #expect(key.id == "p" && key.jwk?.algorithm == .es256 && key.allows(.es256) && !key.allows(.es384))
    #expect(
      refusal { () throws(JOSEError) in try VerificationKey(pem: pem, algorithm: .rs256) } == .keyNotAllowed)
  }

  @Test("Invariant 12, JOSE-20: keys, secrets and tokens are not printed")
  func notPrinted() throws {
    let secret = Secret("planted-secret-planted-secret-planted")
    let values: [Any] = [
      try SigningKey.make(.es256), try SigningKey(insecureSharedSecret: secret, algorithm: .insecureHS256),
      try VerificationKey(insecureSharedSecret: secret, algorithm: .insecureHS256), try Sample.rsa.get(),
      try PresentedToken(SigningKey.make(.es256).sign(["sub": "planted"]).reveal()),
    ]
    for value in values {
      var dumped = "\(value) \(String(reflecting: value))"
      dump(value, to: &dumped)
      #expect(!dumped.contains("planted") && !dumped.contains("PRIVATE") && !dumped.contains("eyJ"))
    }
  }
}
