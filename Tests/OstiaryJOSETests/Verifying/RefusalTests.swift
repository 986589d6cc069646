import Crypto
import CryptoExtras
import Foundation
import OstiaryCore
import OstiaryJOSE
import Testing

/// Each is a token that is right but for one thing.
@Suite("Tokens that are refused always", .timeLimit(.minutes(20)))
struct RefusalTests {
  private let key: SigningKey
  private let keys: KeySet
  private let verifier = Sample.verifier()

  init() throws {
    key = try SigningKey.make(.es256)
    keys = try Sample.keys(key)
  }

  private func refused(_ text: String) -> JOSEError.Code? {
    refusal { () throws(JOSEError) in try verifier.verify(text, with: keys, at: Sample.now) }
  }

  /// Both ways in refuse it.
  private func expect(_ text: String, _ code: JOSEError.Code, _ location: SourceLocation = #_sourceLocation) {
    #expect(refused(text) == code, sourceLocation: location)
    let presented = refusal { () throws(JOSEError) in
      try verifier.verify(PresentedToken(text), with: keys, at: Sample.now)
    }
    #expect(presented == code, sourceLocation: location)
  }

  @Test("The token that the others are made from is accepted")
  func accepted() throws {
    let token = try verifier.verify(Sample.token(header: #"{"alg":"ES256"}"#, key), with: keys, at: Sample.now)
    #expect(token.claims == Sample.claims && token.header.algorithmName == "ES256" && token.algorithm == .es256)
    let presented = try PresentedToken(Sample.token(header: #"{"alg":"ES256","typ":"JWT"}"#, key))
    #expect(presented.unverifiedClaims == Sample.claims && presented.unverifiedHeader.type == "JWT")
    #expect(throws: Never.self) { try verifier.verify(presented, with: keys, at: Sample.now) }
  }

  @Test("JOSE-01: an unsigned token, with and without a signature", arguments: ["none", "None", "NONE", "nOnE"])
  func unsigned(_ name: String) throws {
    let signed = try Sample.token(header: #"{"alg":"\#(name)"}"#, key)
    expect(signed, .unsigned)
    expect(signed.prefix { $0 != "." } + "." + Sample.part(Sample.text(Sample.claims)) + ".", .unsigned)
  }

  @Test("JOSE-01: RFC 7515 appendix A.5")
  func unsignedExample() throws {
    expect(try Vectors.rfc().unsigned, .unsigned)
  }

  @Test("JOSE-02: a public key is no secret of HMAC: not by the header's word, and not as a secret that is given")
  func publicKeyAsSecret() throws {
    let rsa = try Sample.rsa.get()
    let jwk = try #require(rsa.publicKey)
    let pem = try _RSA.Signing.PublicKey(pemRepresentation: try publicPEM(rsa)).pemRepresentation
    // What an attacker would do: the public key's text is the secret.
    let message = Sample.part(#"{"alg":"HS256"}"#) + "." + Sample.part(Sample.text(Sample.claims))
    let code = HMAC<SHA256>.authenticationCode(
      for: Data(message.utf8), using: SymmetricKey(data: Data(pem.utf8)))
    let forged = message + "." + StrictBase64URL.encode(Array(code))
    let keys = KeySet([try VerificationKey(jwk)])
    for algorithms: Set<SignatureAlgorithm> in [[.rs256], [.rs256, .insecureHS256]] {
      let code = refusal { () throws(JOSEError) in
        try Sample.verifier(algorithms).verify(forged, with: keys, at: Sample.now)
      }
      #expect(code == (algorithms.count == 1 ? .algorithmNotAllowed : .unknownKey))
    }
    let point = P256.Signing.PrivateKey().publicKey
    let texts = [
      pem, point.pemRepresentation, Sample.text(jwk.members), Sample.text(["keys": .array([.object(jwk.members)])]),
      point.derRepresentation.base64EncodedString(),
      "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 somebody@example", " \n" + pem,
      "\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKq8dJ2WQmZ1bU0n5v2o8Y8w9 me",
      StrictBase64URL.encode(point.derRepresentation),
      "---- BEGIN SSH2 PUBLIC KEY ----\nAAAAB3NzaC1yc2EAAAADAQABAAABgQC7AAAAB3NzaC1yc2E",
      // A certificate has that form.
      Data([0x30, 0x82, 0x01, 0x00] + [UInt8](repeating: 0x05, count: 256)).base64EncodedString(),
    ]
    for text in texts {
      for algorithm in [SignatureAlgorithm.insecureHS256, .insecureHS512] {
        #expect(
          refusal { () throws(JOSEError) in
            try VerificationKey(insecureSharedSecret: Secret(text), algorithm: algorithm)
          } == .unusableKey, "\(text.prefix(20))")
        #expect(
          refusal { () throws(JOSEError) in try SigningKey(insecureSharedSecret: Secret(text), algorithm: algorithm) }
            == .unusableKey)
      }
    }
    #expect(
      refusal { () throws(JOSEError) in
        try VerificationKey(insecureSharedBytes: [UInt8](point.derRepresentation), algorithm: .insecureHS256)
      } == .unusableKey)
    // What only looks a little like one is a secret.
    for text in ["0123456789-----BEGINNING-ssh-rsa-0123456789", String(repeating: "MIIB", count: 16)] {
      #expect(throws: Never.self) { try VerificationKey(insecureSharedSecret: Secret(text), algorithm: .insecureHS256) }
    }
  }

  private func publicPEM(_ key: SigningKey) throws -> String {
    let pem = try #require(key.pem).reveal()
    return try _RSA.Signing.PrivateKey(pemRepresentation: pem).publicKey.pemRepresentation
  }

  @Test(
    "JOSE-03: an extension that is not known, and a list of them that is none",
    arguments: [#"["exp"]"#, #"["b64"]"#, #"["http://example.com/x"]"#, "[]", "null", "1", #""exp""#, "{}"])
  func extensions(_ list: String) throws {
    expect(
      try Sample.token(header: #"{"alg":"ES256","crit":\#(list),"exp":1,"http://example.com/x":1}"#, key),
      .unknownExtension)
  }

  @Test("JOSE-04: a payload that is not in base64url", arguments: ["false", "null", "0", #""true""#])
  func unencoded(_ value: String) throws {
    expect(try Sample.token(header: #"{"alg":"ES256","b64":\#(value)}"#, key), .unencodedPayload)
    let encoded = try Sample.token(header: #"{"alg":"ES256","b64":true}"#, key)
    #expect(refused(encoded) == nil)
  }

  @Test("JOSE-05: an encrypted token, of five parts and of three")
  func encrypted() throws {
    let header = Sample.part(#"{"alg":"RSA-OAEP","enc":"A256GCM"}"#)
    expect("\(header).AAAA.AAAA.AAAA.AAAA", .encrypted)
    expect("\(Sample.part(#"{"alg":"dir","enc":"A128GCM"}"#))..AAAA.AAAA.AAAA", .encrypted)
    expect(try Sample.token(header: #"{"alg":"ES256","enc":"A256GCM"}"#, key), .encrypted)
  }

  @Test(
    "JOSE-06: an RSA key of less than 2048 bits, in JSON, in PEM and as a private key", arguments: [1024, 1536, 2040])
  func smallRSA(_ bits: Int) throws {
    let small = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: bits))
    let numbers = try small.publicKey.getKeyPrimitives()
    let members: [String: JSONValue] = [
      "kty": "RSA", "n": .string(StrictBase64URL.encode(numbers.modulus)),
      "e": .string(StrictBase64URL.encode(numbers.publicExponent)),
    ]
    let jwk = try PublicJWK(members: members)
    #expect(refusal { () throws(JOSEError) in try VerificationKey(jwk) } == .unusableKey)
    #expect(
      refusal { () throws(JOSEError) in try VerificationKey(pem: small.publicKey.pemRepresentation) } == .unusableKey)
    #expect(
      refusal { () throws(JOSEError) in
        try SigningKey(pem: Secret(small.pemRepresentation), algorithm: .ps256)
      } == .unusableKey)
    let set = try KeySet(json: JSONEncoder().encode(JSONValue.object(["keys": .array([.object(members)])])))
    #expect(set.keys.isEmpty && set.unusedCount == 1)
  }

  @Test(
    "JOSE-06: the numbers of an RSA key: an even modulus, one of 2047 bits or more than 8192, and exponents that are none",
    arguments: [
      (bits: 2047, last: 1 as UInt8, exponent: [1, 0, 1] as [UInt8]), (2048, 2, [1, 0, 1]), (8200, 1, [1, 0, 1]),
      (2048, 1, [1]), (2048, 1, [2]), (2048, 1, [1, 0, 0, 0, 1]),
    ])
  func numbers(_ bits: Int, _ last: UInt8, _ exponent: [UInt8]) throws {
    var modulus = [UInt8](repeating: 0xFF, count: (bits + 7) / 8)
    if bits % 8 != 0 { modulus[0] = 0xFF >> UInt8(8 - bits % 8) }
    modulus[modulus.count - 1] = 0xF0 | last
    let jwk = try PublicJWK(members: [
      "kty": "RSA", "n": .string(StrictBase64URL.encode(modulus)), "e": .string(StrictBase64URL.encode(exponent)),
    ])
    #expect(refusal { () throws(JOSEError) in try VerificationKey(jwk) } == .unusableKey)
  }

  @Test(
    "JOSE-07: a member twice in the header",
    arguments: [
      #"{"alg":"ES256","alg":"ES256"}"#, #"{"alg":"none","alg":"ES256"}"#, #"{"alg":"ES256","\u0061lg":"none"}"#,
      #"{"alg":"ES256","jwk":{"kty":"EC","kty":"RSA"}}"#, #"{"alg":"ES256","x":[{"a":1,"a":1}]}"#,
    ])
  func repeatedHeader(_ header: String) throws {
    expect(try Sample.token(header: header, key), .repeatedMember)
  }

  @Test(
    "JOSE-07: a member twice in the claims, at each level",
    arguments: [
      #""sub":"bob""#, #""\u0073ub":"bob""#, #""act":{"sub":"ann","sub":"bob"}"#, #""roles":[[{"a":1,"a":2}]]"#,
    ])
  func repeatedClaims(_ more: String) throws {
    let claims = Sample.text(Sample.claims).dropLast() + "," + more + "}"
    expect(try Sample.token(header: #"{"alg":"ES256"}"#, claims: String(claims), key), .repeatedMember)
  }

  @Test("JOSE-08: base64url with padding, other characters or stray bits, in each part")
  func strictBase64() throws {
    let parts = try Sample.token(header: #"{"alg":"ES256"} "#, claims: Sample.text(Sample.claims), key)
      .split(separator: ".").map(String.init)
    for index in parts.indices {
      var stray = parts[index]
      // The same bytes with other last bits, where the length leaves some.
      if stray.count % 4 != 0, let last = stray.popLast() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let place = try #require(alphabet.firstIndex(of: last))
        stray.append(alphabet[place + 1])
      } else {
        stray += "A"
      }
      for broken in [
        parts[index] + "=", parts[index] + "==", stray, parts[index] + "\n", " " + parts[index], "+" + parts[index],
      ] {
        var changed = parts
        changed[index] = broken
        expect(changed.joined(separator: "."), .malformed)
      }
    }
  }

  @Test("JOSE-09: more than 64 KiB, and not a byte less")
  func size() throws {
    func token(_ padding: Int) throws -> String {
      let claims = Sample.claims.merging(["padding": .string(String(repeating: "a", count: padding))]) { $1 }
      return try Sample.token(header: #"{"alg":"ES256"}"#, claims: Sample.text(claims), key)
    }
    let empty = try token(0).utf8.count
    let most = (65_536 - empty) * 3 / 4
    let fits = try token(most - 3)
    #expect(fits.utf8.count <= 65_536 && refused(fits) == nil)
    let large = try token(most + 3)
    expect(large, .tooLarge)
    expect(String(repeating: "a", count: 1 << 20), .tooLarge)
    #expect(refusal { () throws(JOSEError) in try PresentedToken(fits, maximumBytes: 8192) } == .tooLarge)
    #expect(refusal { () throws(JOSEError) in try PresentedToken(large, maximumBytes: .max) } == .tooLarge)
  }

  @Test(
    "Invariant 14: what is no token is refused",
    arguments: [
      "", ".", "..", "...", "a", "a.b", "a.b.c", "....", ".....", "eyJhbGciOiJFUzI1NiJ9", "eyJhbGciOiJFUzI1NiJ9.e30",
      "W10.e30.", "bnVsbA.e30.", "e30.e30.", "eyJhbGciOjF9.e30.AA", "eyJhbGciOm51bGx9.e30.AA", #"{"payload":""}"#,
      "é.é.é",
      "\u{0}.\u{0}.\u{0}",
    ])
  func malformed(_ text: String) {
    let code = refused(text)
    #expect(code == .malformed || code == .encrypted && text.filter { $0 == "." }.count == 4)
  }

  @Test("Invariant 14: claims that are no object, and members of another type than theirs")
  func types() throws {
    for claims in ["[]", "1", "", "{", "null", "\u{FEFF}{}", String(repeating: "[", count: 10_000)] {
      expect(try Sample.token(header: #"{"alg":"ES256"}"#, claims: claims, key), .malformed)
    }
    for header in [
      #"{"alg":"ES256","kid":1}"#, #"{"alg":"ES256","typ":["JWT"]}"#, #"{"alg":["ES256"]}"#,
      "\u{FEFF}{\"alg\":\"ES256\"}",
    ] {
      expect(try Sample.token(header: header, key), .malformed)
    }
    let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    expect(try Sample.token(header: #"{"alg":"ES256"}"#, claims: #"{"a":\#(deep)}"#, key), .malformed)
  }

  @Test("JOSE-19: signatures of nothing: empty, zeros, of another length, DER where two numbers belong")
  func signatures() throws {
    let message = Sample.part(#"{"alg":"ES256"}"#) + "." + Sample.part(Sample.text(Sample.claims))
    let pem = try #require(key.pem).reveal()
    let der = try P256.Signing.PrivateKey(pemRepresentation: pem).signature(for: Data(message.utf8)).derRepresentation
    let signatures: [[UInt8]] = [
      [], [0], Array(repeating: 0, count: 64), Array(repeating: 0, count: 63), Array(repeating: 0xFF, count: 64),
      try key.signature(for: Array(message.utf8)) + [0], Array(try key.signature(for: Array(message.utf8)).dropLast()),
      [UInt8](der),
    ]
    for signature in signatures {
      expect(message + "." + StrictBase64URL.encode(signature), .wrongSignature)
    }
    for algorithm in SignatureAlgorithm.allPublic {
      let keys = try Sample.keys(Sample.key(algorithm))
      let message = Sample.part(#"{"alg":"\#(algorithm.name)"}"#) + "." + Sample.part(Sample.text(Sample.claims))
      for signature in [
        [], Array(repeating: 0, count: 64), Array(repeating: 0, count: 132), Array(repeating: 0, count: 256),
      ] as [[UInt8]] {
        let code = refusal { () throws(JOSEError) in
          try Sample.verifier([algorithm]).verify(
            message + "." + StrictBase64URL.encode(signature), with: keys, at: Sample.now)
        }
        #expect(code == .wrongSignature, "\(algorithm)")
      }
    }
  }
}
