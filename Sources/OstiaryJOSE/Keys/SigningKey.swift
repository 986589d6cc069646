internal import Crypto
internal import CryptoExtras
internal import Foundation
public import OstiaryCore

/// A key that signs, with the one algorithm that it signs with.
///
/// It prints as its public key's thumbprint. A key that stays in a keychain or a hardware module is a ``TokenSigner`` of its own.
public struct SigningKey: Sendable {
  let material: PrivateKeyMaterial
  /// The algorithm.
  public let algorithm: SignatureAlgorithm
  /// The name by which tokens mean it (`kid`), if it has one.
  public let keyID: String?

  init(_ material: PrivateKeyMaterial, algorithm: SignatureAlgorithm, id: String?) throws(JOSEError) {
    guard material.family == algorithm.scheme.family else {
      throw JOSEError(.keyNotAllowed, "The key is of another kind than the algorithm's.")
    }
    self.material = material
    self.algorithm = algorithm
    keyID = id
  }

  /// Makes a key: for RSA one of 2048 bits.
  /// - Throws: ``JOSEError/Code/keyNotAllowed`` for an algorithm that takes a shared secret.
  public static func make(_ algorithm: SignatureAlgorithm, id: String? = nil) throws(JOSEError) -> SigningKey {
    try SigningKey(.make(algorithm.scheme.family), algorithm: algorithm, id: id)
  }

  /// Reads a private key in PEM: PKCS #8 (`-----BEGIN PRIVATE KEY-----`), or the older forms of elliptic curves' and RSA keys.
  /// - Throws: ``JOSEError/Code/unusableKey``, or ``JOSEError/Code/keyNotAllowed`` for an algorithm of another kind.
  public init(pem: Secret, algorithm: SignatureAlgorithm, id: String? = nil) throws(JOSEError) {
    try self.init(PrivateKeyMaterial(pem: pem.reveal(), algorithm.scheme.family), algorithm: algorithm, id: id)
  }

  /// Reads a private key from JSON (RFC 7517 §4, RFC 7518 §6).
  /// - Parameters:
  ///   - jwk: one JSON object. An RSA key needs its primes.
  ///   - algorithm: what it signs with; by default its own `alg`.
  /// - Throws: ``JOSEError/Code/unusableKey``, ``JOSEError/Code/keyNotAllowed``, ``JOSEError/Code/malformed`` or
  ///   ``JOSEError/Code/repeatedMember``.
  public init(jwk: Secret, algorithm: SignatureAlgorithm? = nil) throws(JOSEError) {
    let members = try JOSEObject.read([UInt8](jwk.reveal().utf8), "The key", source: "RFC 7517 §4")
    let name = try members.text("alg", "RFC 7517 §4.4")
    let own = name.flatMap(SignatureAlgorithm.init(name:))
    guard let algorithm = algorithm ?? own else {
      throw JOSEError(.keyNotAllowed, "The key names no algorithm that it can sign with.", source: "RFC 7517 §4.4")
    }
    if name != nil, own?.scheme != algorithm.scheme {
      throw JOSEError(.keyNotAllowed, "The key is for another algorithm.", source: "RFC 7517 §4.4")
    }
    try self.init(PrivateKeyMaterial(members), algorithm: algorithm, id: members.text("kid", "RFC 7517 §4.5"))
  }

  /// Takes a client's own secret, with which its server verifies what it sends (`client_secret_jwt`).
  /// - Parameters:
  ///   - secret: at least as many bytes as the hash has (RFC 7518 §3.2). A public key is refused.
  ///   - algorithm: one of ``SignatureAlgorithm/insecureHS256`` and its like.
  /// - Throws: ``JOSEError/Code/unusableKey`` or ``JOSEError/Code/keyNotAllowed``.
  public init(insecureSharedSecret secret: Secret, algorithm: SignatureAlgorithm) throws(JOSEError) {
    try self.init(insecureSharedBytes: [UInt8](secret.reveal().utf8), algorithm: algorithm)
  }

  package init(insecureSharedBytes bytes: [UInt8], algorithm: SignatureAlgorithm) throws(JOSEError) {
    let secret = try SharedSecret(bytes, algorithm)
    try self.init(.secret(secret.key, secret.hash), algorithm: algorithm, id: nil)
  }

  /// The public key, which verifies what this one signs; `nil` for a shared secret.
  public var publicKey: PublicJWK? {
    material.publicParameters.map { PublicJWK($0, id: keyID, algorithm: algorithm) }
  }

  /// The private key in PEM, to keep it; `nil` for a shared secret.
  public var pem: Secret? { material.pem.map { Secret($0) } }

  /// Signs a message.
  /// - Throws: ``JOSEError/Code/cannotSign``.
  public func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] {
    do {
      return [UInt8](try material.signature(for: Data(message), with: algorithm.scheme))
    } catch {
      throw JOSEError(.cannotSign, "The key could not sign.")
    }
  }
}

// A key as 32 bytes, for what keeps one beside tokens.
extension SigningKey {
  /// The private number of an ES256 key; `nil` for others.
  package var p256Bytes: [UInt8]? {
    guard case .p256(let key) = material else { return nil }
    return [UInt8](key.rawRepresentation)
  }

  /// An ES256 key of its private number.
  /// - Throws: ``JOSEError/Code/unusableKey``.
  package init(p256Bytes bytes: [UInt8]) throws(JOSEError) {
    guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else {
      throw JOSEError(.unusableKey, "The number is no private key of P-256.", source: "RFC 7518 §6.2.2.1")
    }
    try self.init(.p256(key), algorithm: .es256, id: nil)
  }
}

extension SigningKey: Redacted {
  public var description: String { publicKey.map { "the private key of \($0.thumbprint)" } ?? "‹secret›" }
}
