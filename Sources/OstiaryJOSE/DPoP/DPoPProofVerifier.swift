internal import Crypto
public import Foundation
public import OstiaryCore

/// Believes proofs of possession (RFC 9449 §4.3). It is the only reader of a key in a header (`jwk`): such a proof shows that its sender holds
/// *some* key, and says nothing about whose.
public struct DPoPProofVerifier: Sendable {
  /// The algorithms that are allowed: with public keys only.
  public let algorithms: Set<SignatureAlgorithm>
  /// How long ago a proof may have been made.
  public let lifetime: Duration
  /// How far the clocks may differ.
  public let skew: Duration

  /// - Parameters:
  ///   - algorithms: those that are allowed. Shared secrets among them are left out.
  ///   - lifetime: how long ago a proof may have been made.
  ///   - skew: how far the clocks may differ.
  public init(
    algorithms: Set<SignatureAlgorithm> = [.es256], lifetime: Duration = .seconds(60), skew: Duration = .seconds(60)
  ) {
    self.algorithms = algorithms.intersection(SignatureAlgorithm.allPublic)
    self.lifetime = lifetime
    self.skew = skew
  }

  /// The request that a proof has to be for.
  public struct Request: Sendable {
    /// Its method.
    public var method: String
    /// Its address; a query and a fragment don't count.
    public var address: String
    /// The access token that comes with it, if one does.
    public var accessToken: Secret?
    /// The nonces of the server's that are accepted; `nil` where it demands none.
    public var nonces: Set<String>?

    /// Describes a request.
    public init(method: String, address: String, accessToken: Secret? = nil, nonces: Set<String>? = nil) {
      self.method = method
      self.address = address
      self.accessToken = accessToken
      self.nonces = nonces
    }
  }

  /// Verifies a proof.
  /// - Parameters:
  ///   - text: the value of the only `DPoP` field.
  ///   - request: the request that it came with.
  ///   - now: the time by which it is judged.
  /// - Throws: which rule refused; ``JOSEError/Code/wrongNonce`` also for a proof without the nonce that is demanded.
  public func verify(_ text: String, for request: Request, at now: Date) throws(JOSEError) -> DPoPProof {
    let compact = try CompactJWS(text)
    let key = try Self.key(in: compact.header)
    let verifier = TokenVerifier(
      algorithms: algorithms, type: .exactly("dpop+jwt"),
      rules: [.issued(within: lifetime, skew: skew), .claim("htm", is: request.method), Self.address(request.address)])
    // The header's own `kid`, if it has one, names nothing that is known here.
    let token = try verifier.verify(compact, by: VerificationKey(key), at: now)
    let id = try token.text("jti")
    guard !id.isEmpty else { throw JOSEError(.claimMissing, "The proof has no name.", source: "RFC 9449 §4.2") }
    if let access = request.accessToken {
      let hash = StrictBase64URL.encode([UInt8](SHA256.hash(data: Data(access.reveal().utf8))))
      guard token["ath"]?.string?.hasSameBytes(as: hash) == true else {
        throw JOSEError(.wrongAccessToken, "The proof is for another access token.", source: "RFC 9449 §4.3")
      }
    }
    let nonce = token["nonce"]?.string
    if let nonces = request.nonces {
      guard let nonce, nonces.contains(nonce) else {
        throw JOSEError(.wrongNonce, "The proof has no nonce of the server's, or an older one.", source: "RFC 9449 §8")
      }
    }
    return DPoPProof(key: key, id: id, nonce: nonce)
  }

  private static func key(in header: TokenHeader) throws(JOSEError) -> PublicJWK {
    guard let members = header.members["jwk"]?.object else {
      throw JOSEError(.unusableKey, "The proof has no key.", source: "RFC 9449 §4.2")
    }
    return try PublicJWK(members: members)
  }

  /// `htu`: the request's address without query and fragment.
  private static func address(_ address: String) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      guard let said = ProofAddress(try token.text("htu")), said == ProofAddress(address) else {
        throw JOSEError(.wrongRequest, "The proof is for another address.", source: "RFC 9449 §4.3")
      }
    }
  }
}
