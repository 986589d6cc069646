import Foundation
import OstiaryCore
import OstiaryJOSE

extension FuzzTarget {
  /// A signed token. What is believed is what the key signs of these claims, to the bit: Ed25519 has one signature for a message.
  static let signedToken = FuzzTarget(name: "signed-token") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let presented = try? PresentedToken(text)
    if let presented {
      let name = presented.unverifiedHeader.algorithmName
      try require(name.lowercased() != "none", "a token is signed")
      try require(presented.unverifiedHeader.members["crit"] == nil, "no extension is known")
      try require(text.utf8.starts(with: presented.signedText.utf8), "what is signed is the beginning")
      try require(!"\(presented)".contains(presented.signedText), "a token is not shown")
    }
    let key = try JOSEFuzzing.key.get()
    guard let jwk = key.publicKey else { return }
    let keys = KeySet([try VerificationKey(jwk)])
    let verifier = TokenVerifier(algorithms: [.edDSA, .ed25519], type: .insecureAny, rules: [])
    do {
      let token = try verifier.verify(text, with: keys, at: JOSEFuzzing.now)
      guard let presented else { throw PropertyBroken("what is verified can be taken apart") }
      try require(token.claims == presented.unverifiedClaims, "both ways read the same claims")
      let signature = StrictBase64URL.encode(try key.signature(for: Array(presented.signedText.utf8)))
      try require(text == presented.signedText + "." + signature, "a token has one text")
    } catch let error as JOSEError {
      try require(!error.message.isEmpty && !"\(error)".contains("ann"), "an error says why, and nothing of the token")
    }
  }

  /// The keys of an issuer.
  static let keySet = FuzzTarget(name: "key-set") { bytes in
    let data = Data(bytes)
    if let jwk = try? PublicJWK(json: data) { try JOSEFuzzing.check(jwk) }
    guard let keys = try? KeySet(json: data) else { return }
    try require(keys.keys.count + keys.unusedCount <= 256, "a set is bounded")
    let key = try JOSEFuzzing.key.get()
    let verifier = TokenVerifier(algorithms: SignatureAlgorithm.allPublic, type: .insecureAny, rules: [])
    let token = try key.sign(["sub": "ann"]).reveal()
    for own in keys.keys {
      guard let jwk = own.jwk else { throw PropertyBroken("a published key is public") }
      try JOSEFuzzing.check(jwk)
      try require(!own.allows(.insecureHS256) && !own.allows(.insecureHS512), "a public key is no secret")
    }
    do {
      let verified = try verifier.verify(token, with: keys, at: JOSEFuzzing.now)
      try require(verified.key.jwk?.thumbprint == key.publicKey?.thumbprint, "only the signer's key verifies")
    } catch is JOSEError {}
  }

  /// A proof of possession, which brings its own key.
  static let possessionProof = FuzzTarget(name: "possession-proof") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let request = DPoPProofVerifier.Request(method: "POST", address: "https://as.example/token")
    let verifier = DPoPProofVerifier(algorithms: SignatureAlgorithm.allPublic)
    do {
      let proof = try verifier.verify(text, for: request, at: JOSEFuzzing.now)
      try require(!proof.id.isEmpty, "a proof has a name")
      try require(StrictBase64URL.decode(proof.thumbprint)?.count == 32, "a proof has a key")
    } catch is JOSEError {}
  }
}

/// What the targets have in common.
private enum JOSEFuzzing {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// RFC 8037 appendix A.1.
  static let key = Result {
    try SigningKey(
      jwk: """
        {"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",\
        "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
        """, algorithm: .edDSA)
  }

  static func check(_ jwk: PublicJWK) throws {
    let again = try PublicJWK(members: jwk.members)
    try require(again == jwk && again.thumbprint == jwk.thumbprint, "a key comes back from its text")
    try require(StrictBase64URL.decode(jwk.thumbprint)?.count == 32, "a thumbprint is a hash")
  }
}
