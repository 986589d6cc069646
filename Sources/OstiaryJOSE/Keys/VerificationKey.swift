internal import Crypto
internal import CryptoExtras
internal import Foundation
public import OstiaryCore

/// A key that verifies signatures, read once and used for every token.
///
/// It is of one kind, and only algorithms of that kind can use it: a public key is never a shared secret (RFC 8725 §2.1).
public struct VerificationKey: Sendable {
  /// In one object, as each token that is verified takes a copy of its key along.
  private final class Contents: Sendable {
    let material: KeyMaterial
    let id: String?
    let jwk: PublicJWK?

    init(_ material: KeyMaterial, id: String?, jwk: PublicJWK?) {
      self.material = material
      self.id = id
      self.jwk = jwk
    }
  }

  private let contents: Contents

  var material: KeyMaterial { contents.material }
  /// The name by which tokens mean this key (`kid`).
  public var id: String? { contents.id }
  /// The key as JSON; `nil` for a shared secret, which is never shown.
  public var jwk: PublicJWK? { contents.jwk }

  /// Reads a public key from JSON.
  /// - Throws: ``JOSEError/Code/unusableKey`` for a point that is not on its curve and for an RSA key that is too small or too large.
  public init(_ jwk: PublicJWK) throws(JOSEError) {
    contents = Contents(try Self.material(jwk.parameters), id: jwk.id, jwk: jwk)
  }

  /// Reads a public key in PEM (`-----BEGIN PUBLIC KEY-----`; of RSA, PKCS #1 too).
  /// - Parameters:
  ///   - id: the name by which tokens mean it.
  ///   - algorithm: the only algorithm that it is for.
  /// - Throws: ``JOSEError/Code/unusableKey``, or ``JOSEError/Code/keyNotAllowed`` for an algorithm of another kind.
  public init(pem: String, id: String? = nil, algorithm: SignatureAlgorithm? = nil) throws(JOSEError) {
    guard let parameters = PublicPEM.parameters(pem) else {
      throw JOSEError(
        .unusableKey, "The text is no public key in PEM of a kind that is supported.", source: "RFC 7468 §13")
    }
    if let algorithm, algorithm.scheme.family != parameters.family {
      throw JOSEError(.keyNotAllowed, "The key is of another kind than the algorithm's.")
    }
    try self.init(PublicJWK(parameters, id: id, algorithm: algorithm))
  }

  /// Takes a client's own secret, with which its server signs what it sends to that client alone.
  ///
  /// Each side can make what the other accepts, and a secret that a person chose can be guessed from one token: prefer a server's public
  /// keys wherever there are some.
  /// - Parameters:
  ///   - secret: at least as many bytes as the hash has (RFC 7518 §3.2). A public key is refused.
  ///   - algorithm: one of ``SignatureAlgorithm/insecureHS256`` and its like, the only one that it is for.
  /// - Throws: ``JOSEError/Code/unusableKey`` or ``JOSEError/Code/keyNotAllowed``.
  public init(insecureSharedSecret secret: Secret, algorithm: SignatureAlgorithm) throws(JOSEError) {
    try self.init(insecureSharedBytes: [UInt8](secret.reveal().utf8), algorithm: algorithm)
  }

  package init(insecureSharedBytes bytes: [UInt8], algorithm: SignatureAlgorithm) throws(JOSEError) {
    let secret = try SharedSecret(bytes, algorithm)
    contents = Contents(.secret(secret.key, secret.hash), id: nil, jwk: nil)
  }

  /// Whether the key may be used with an algorithm.
  package func allows(_ algorithm: SignatureAlgorithm) -> Bool {
    guard contents.material.family == algorithm.scheme.family else { return false }
    if case .secret(_, let hash) = contents.material { return algorithm.scheme == .hmac(hash) }
    // Two names of one scheme mean the same.
    return contents.jwk?.algorithm.map { $0.scheme == algorithm.scheme } ?? true
  }

  private static func material(_ parameters: PublicJWK.Parameters) throws(JOSEError) -> KeyMaterial {
    do {
      switch parameters {
      case .ec(let curve, let x, let y):
        // The library refuses what is not on the curve.
        return switch curve {
        case .p256: .p256(try P256.Signing.PublicKey(rawRepresentation: x + y))
        case .p384: .p384(try P384.Signing.PublicKey(rawRepresentation: x + y))
        case .p521: .p521(try P521.Signing.PublicKey(rawRepresentation: x + y))
        }
      case .rsa(let modulus, let exponent):
        guard RSANumbers.areUsable(modulus: modulus, exponent: exponent) else { throw RSANumbers.unusable }
        return .rsa(try _RSA.Signing.PublicKey(n: modulus, e: exponent))
      case .ed25519(let x): return .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: x))
      }
    } catch let error as JOSEError {
      throw error
    } catch {
      throw JOSEError(.unusableKey, "The numbers of the key make no key.", source: "RFC 7518 §6")
    }
  }
}

extension VerificationKey: Redacted {
  public var description: String { jwk.map { "a public key, \($0.thumbprint)" } ?? "‹secret›" }
}
