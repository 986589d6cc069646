import Foundation
import OstiaryCore
import OstiaryJOSE
import Testing

@Suite("Proofs of possession", .timeLimit(.minutes(20)))
struct DPoPProofTests {
  private let key: SigningKey
  private let jwk: PublicJWK
  private let request = DPoPProofVerifier.Request(method: "POST", address: "https://as.example/token")

  init() throws {
    key = try SigningKey.make(.es256)
    jwk = try #require(key.publicKey)
  }

  private func proof(
    _ changes: [String: JSONValue?] = [:], header: [String: JSONValue?] = [:], type: String? = "dpop+jwt",
    by other: SigningKey? = nil
  ) throws -> String {
    var claims: [String: JSONValue] = [
      "jti": "one", "htm": "POST", "htu": "https://as.example/token", "iat": 1_800_000_000,
    ]
    for (name, value) in changes { claims[name] = value }
    var members: [String: JSONValue] = ["jwk": .object(jwk.members.filter { !["kid", "alg"].contains($0.key) })]
    for (name, value) in header { members[name] = value }
    return try (other ?? key).sign(claims, type: type, header: members).reveal()
  }

  private func refused(
    _ proof: String, _ request: DPoPProofVerifier.Request? = nil, by verifier: DPoPProofVerifier = DPoPProofVerifier()
  ) -> JOSEError.Code? {
    refusal { () throws(JOSEError) in
      try verifier.verify(proof, for: request ?? self.request, at: Sample.now)
    }
  }

  @Test("JOSE-15: RFC 9449 §4.3: a proof shows which key its sender holds")
  func accepted() throws {
    let proof = try DPoPProofVerifier().verify(proof(["nonce": "n"]), for: request, at: Sample.now)
    #expect(proof.thumbprint == jwk.thumbprint && proof.id == "one" && proof.nonce == "n")
    #expect(proof.key.thumbprint == jwk.thumbprint)
  }

  @Test("JOSE-15: each member that is wrong or missing by itself")
  func members() throws {
    let cases: [([String: JSONValue?], JOSEError.Code)] = [
      (["jti": nil], .claimMissing), (["jti": ""], .claimMissing), (["jti": 1], .claimMissing),
      (["htm": nil], .claimMissing), (["htm": "GET"], .wrongClaim), (["htm": "post"], .wrongClaim),
      (["htu": nil], .claimMissing), (["htu": "https://as.example/other"], .wrongRequest),
      (["htu": "http://as.example/token"], .wrongRequest), (["htu": "https://as.example:8443/token"], .wrongRequest),
      (["htu": "https://evil.example/token"], .wrongRequest), (["htu": "/token"], .wrongRequest),
      (["htu": ""], .wrongRequest),
      (["htu": "https://user@as.example/token"], .wrongRequest), (["htu": "https://as.example/Token"], .wrongRequest),
      (["htu": "https://as.example/token/"], .wrongRequest), (["htu": "https://as.example/%zz"], .wrongRequest),
      (["iat": nil], .claimMissing), (["iat": 1_799_999_879], .tooOld), (["iat": 1_800_000_061], .notYetValid),
    ]
    for (changes, code) in cases { #expect(refused(try proof(changes)) == code, "\(changes)") }
    #expect(try refused(proof(["iat": 1_799_999_880])) == nil && refused(proof(["iat": 1_800_000_060])) == nil)
  }

  @Test("JOSE-15: an address has several spellings; a query and a fragment don't count")
  func addresses() throws {
    for address in [
      "https://as.example/token?a=b", "HTTPS://AS.example:443/token#x", "https://as.example/%74oken",
      "https://as.example/token?#",
    ] {
      #expect(refused(try proof(["htu": .string(address)])) == nil, "\(address)")
      #expect(refused(try proof(), .init(method: "POST", address: address)) == nil, "\(address)")
    }
    let pairs = [
      ("https://as.example", "https://as.example/"), ("https://as.example/a%2fb", "https://as.example/a%2Fb"),
    ]
    for (said, real) in pairs {
      #expect(refused(try proof(["htu": .string(said)]), .init(method: "POST", address: real)) == nil)
    }
    #expect(
      refused(try proof(["htu": "https://as.example/a/b"]), .init(method: "POST", address: "https://as.example/a%2Fb"))
        == .wrongRequest)
  }

  @Test("JOSE-15: the key in the header: none, a private one, another's, one of another kind, one that is too small")
  func keys() throws {
    #expect(refused(try proof(header: ["jwk": nil])) == .unusableKey)
    #expect(refused(try proof(header: ["jwk": "x"])) == .unusableKey)
    #expect(refused(try proof(header: ["jwk": .object([:])])) == .unusableKey)
    let example = try #require(Vectors.rfc().signed.first { $0.algorithm == "ES256" })
    let members = try #require(JSONValue(json: Data(example.jwk.utf8)))
    let own = try SigningKey(jwk: Secret(example.jwk), algorithm: .es256)
    #expect(refused(try proof(header: ["jwk": members], by: own)) == .unusableKey)
    let other = try SigningKey.make(.es256)
    #expect(refused(try proof(by: other)) == .wrongSignature)
    let edwards = try #require(SigningKey.make(.edDSA).publicKey)
    #expect(refused(try proof(header: ["jwk": .object(edwards.members)])) == .unknownKey)
    #expect(refused(try proof(header: ["jwk": .object(["kty": "oct", "k": "AAAA"])])) == .unusableKey)
    // The key's own name is not the header's business.
    let named = try SigningKey(pem: #require(key.pem), algorithm: .es256, id: "x")
    #expect(refused(try proof(by: named)) == nil)
    let set = jwk.members.merging(["kid": "y"]) { $1 }
    #expect(refused(try proof(header: ["jwk": .object(set)], by: named)) == nil)
  }

  @Test("JOSE-15: the algorithms are the caller's, and no shared secret is among them; the type is the proof's own")
  func algorithms() throws {
    #expect(refused(try proof(), by: DPoPProofVerifier(algorithms: [.edDSA])) == .algorithmNotAllowed)
    let secret = try SigningKey(insecureSharedBytes: Array(repeating: 7, count: 32), algorithm: .insecureHS256)
    #expect(
      refused(try proof(by: secret), by: DPoPProofVerifier(algorithms: [.insecureHS256, .es256]))
        == .algorithmNotAllowed)
    for type in [nil, "JWT", "at+jwt"] { #expect(refused(try proof(type: type)) == .wrongType) }
    // An access token's verifier takes no proof, and looks at no key in a header.
    let proof = try proof()
    let code = refusal { () throws(JOSEError) in
      try Sample.verifier(type: .insecureAny).verify(proof, with: KeySet([]), at: Sample.now)
    }
    #expect(code == .unknownKey)
  }

  @Test("JOSE-15: RFC 9449 §4.3: a proof for an access token has its hash; §8: a demanded nonce is the server's")
  func bound() throws {
    let request = DPoPProofVerifier.Request(
      method: "POST", address: "https://as.example/token", accessToken: "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")
    // RFC 9449 §7.1 has this token and this hash.
    let hash = JSONValue.string("fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
    #expect(refused(try proof(["ath": hash]), request) == nil)
    #expect(refused(try proof(), request) == .wrongAccessToken)
    #expect(refused(try proof(["ath": "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEO"]), request) == .wrongAccessToken)
    var asked = self.request
    asked.nonces = ["new", "newer"]
    #expect(try refused(proof(["nonce": "newer"]), asked) == nil && refused(proof(["nonce": "new"]), asked) == nil)
    for nonce in [nil, "old", 1, ""] as [JSONValue?] {
      #expect(refused(try proof(["nonce": nonce]), asked) == .wrongNonce)
    }
  }

  @Test("JOSE-15: RFC 9449 figure 2: the example of the specification")
  func example() throws {
    let text =
      "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"
    let proof = try DPoPProofVerifier().verify(
      text, for: .init(method: "POST", address: "https://server.example.com/token"),
      at: Date(timeIntervalSince1970: 1_562_262_616))
    // RFC 9449 §6.1 has this `jkt`.
    #expect(proof.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    #expect(proof.id == "-BwC3ESc6acc2lTc")
  }
}
