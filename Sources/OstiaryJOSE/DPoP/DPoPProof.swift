/// A proof that its sender holds a key (RFC 9449), for one request. It was verified.
///
/// Whether it was used before is the caller's to ask, by ``id`` and ``thumbprint`` (RFC 9449 §11.1).
public struct DPoPProof: Sendable {
  /// The public key whose private half has signed it.
  public let key: PublicJWK
  /// The key's thumbprint, as in `jkt` and `dpop_jkt`.
  public let thumbprint: String
  /// The name of the proof (`jti`).
  public let id: String
  /// The nonce in it, if it has one.
  public let nonce: String?

  init(key: PublicJWK, id: String, nonce: String?) {
    self.key = key
    thumbprint = key.thumbprint
    self.id = id
    self.nonce = nonce
  }
}
