internal import Crypto
internal import CryptoExtras
internal import Foundation

/// A key that signs, as the cryptographic library has it.
enum PrivateKeyMaterial: Sendable {
  case p256(P256.Signing.PrivateKey)
  case p384(P384.Signing.PrivateKey)
  case p521(P521.Signing.PrivateKey)
  case rsa(_RSA.Signing.PrivateKey)
  case ed25519(Curve25519.Signing.PrivateKey)
  case secret(SymmetricKey, HashKind)

  /// The scheme asks for another kind of key.
  struct Mismatch: Error {}

  static func make(_ family: KeyFamily) throws(JOSEError) -> PrivateKeyMaterial {
    switch family {
    case .ec(.p256): return .p256(P256.Signing.PrivateKey())
    case .ec(.p384): return .p384(P384.Signing.PrivateKey())
    case .ec(.p521): return .p521(P521.Signing.PrivateKey())
    case .ed25519: return .ed25519(Curve25519.Signing.PrivateKey())
    case .rsa:
      do {
        return .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
      } catch {
        throw JOSEError(.cannotSign, "No key could be made.")
      }
    case .secret: throw JOSEError(.keyNotAllowed, "A shared secret is given, not made.", source: "RFC 7518 §3.2")
    }
  }

  var family: KeyFamily {
    switch self {
    case .p256: .ec(.p256)
    case .p384: .ec(.p384)
    case .p521: .ec(.p521)
    case .rsa: .rsa
    case .ed25519: .ed25519
    case .secret: .secret
    }
  }

  var publicParameters: PublicJWK.Parameters? {
    switch self {
    case .p256(let key): PublicPEM.point(.p256, key.publicKey.rawRepresentation)
    case .p384(let key): PublicPEM.point(.p384, key.publicKey.rawRepresentation)
    case .p521(let key): PublicPEM.point(.p521, key.publicKey.rawRepresentation)
    case .rsa(let key): (try? key.publicKey.getKeyPrimitives()).map(PublicPEM.rsa)
    case .ed25519(let key): .ed25519([UInt8](key.publicKey.rawRepresentation))
    case .secret: nil
    }
  }

  func signature(for message: Data, with scheme: SignatureScheme) throws -> Data {
    switch (self, scheme) {
    case (.p256(let key), .ecdsa(.p256)): return try key.signature(for: message).rawRepresentation
    case (.p384(let key), .ecdsa(.p384)): return try key.signature(for: message).rawRepresentation
    case (.p521(let key), .ecdsa(.p521)): return try key.signature(for: message).rawRepresentation
    case (.rsa(let key), .pkcs1(let hash)): return try Self.signature(of: message, hash, .insecurePKCS1v1_5, by: key)
    case (.rsa(let key), .pss(let hash)): return try Self.signature(of: message, hash, .PSS, by: key)
    case (.ed25519(let key), .ed25519): return try key.signature(for: message)
    case (.secret(let key, let own), .hmac(let hash)) where own == hash:
      return switch hash {
      case .sha256: Data(HMAC<SHA256>.authenticationCode(for: message, using: key))
      case .sha384: Data(HMAC<SHA384>.authenticationCode(for: message, using: key))
      case .sha512: Data(HMAC<SHA512>.authenticationCode(for: message, using: key))
      }
    default: throw Mismatch()
    }
  }

  private static func signature(
    of message: Data, _ hash: HashKind, _ padding: _RSA.Signing.Padding, by key: _RSA.Signing.PrivateKey
  ) throws -> Data {
    switch hash {
    case .sha256: try key.signature(for: SHA256.hash(data: message), padding: padding).rawRepresentation
    case .sha384: try key.signature(for: SHA384.hash(data: message), padding: padding).rawRepresentation
    case .sha512: try key.signature(for: SHA512.hash(data: message), padding: padding).rawRepresentation
    }
  }
}
