import Foundation
import OstiaryCore
import OstiaryJOSE
import Testing

@Suite("Signing", .timeLimit(.minutes(20)))
struct SigningTests {
  @Test("JOSE-18: what every algorithm signs verifies, with the header that the caller asked for")
  func everyAlgorithm() throws {
    for algorithm in SignatureAlgorithm.allPublic {
      let key = try SigningKey(pem: #require(Sample.key(algorithm).pem), algorithm: algorithm, id: "k")
      let text = try key.sign(
        Sample.claims, type: "at+jwt", header: ["x": 1, "alg": "none", "kid": "other", "typ": "JWT"])
      let token = try Sample.verifier([algorithm], type: .exactly("at+jwt")).verify(
        text.reveal(), with: Sample.keys(key), at: Sample.now)
      #expect(token.header.members == ["alg": .string(algorithm.name), "kid": "k", "typ": "at+jwt", "x": 1])
      #expect(token.claims == Sample.claims)
    }
  }

  @Test("A signer elsewhere signs the same bytes, and its failure is the caller's to see")
  func elsewhere() async throws {
    let key = try SigningKey.make(.edDSA, id: "hsm")
    let signer = Elsewhere(key: key, fails: false)
    // Ed25519 has one signature for a message.
    #expect(try await signer.signedToken(Sample.claims) == key.sign(Sample.claims))
    await #expect(throws: Elsewhere.Locked.self) {
      try await Elsewhere(key: key, fails: true).signedToken(Sample.claims)
    }
  }
}

/// A key that another program has.
private struct Elsewhere: TokenSigner {
  struct Locked: Error {}

  let key: SigningKey
  let fails: Bool
  var algorithm: SignatureAlgorithm { key.algorithm }
  var keyID: String? { key.keyID }

  func signature(for message: [UInt8]) async throws -> [UInt8] {
    if fails { throw Locked() }
    return try key.signature(for: message)
  }
}
