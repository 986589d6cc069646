internal import Crypto
internal import CryptoExtras
internal import Foundation

/// A key that verifies, as the cryptographic library has it.
enum KeyMaterial: Sendable {
  case p256(P256.Signing.PublicKey)
  case p384(P384.Signing.PublicKey)
  case p521(P521.Signing.PublicKey)
  case rsa(_RSA.Signing.PublicKey)
  case ed25519(Curve25519.Signing.PublicKey)
  case secret(SymmetricKey, HashKind)

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

  /// Whether this key and this scheme have made the signature. A key of another kind, and a signature of another length, have not.
  func verifies(_ signature: [UInt8], of message: ArraySlice<UInt8>, with scheme: SignatureScheme) -> Bool {
    switch (self, scheme) {
    case (.p256(let key), .ecdsa(.p256)):
      (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: message) }
        ?? false
    case (.p384(let key), .ecdsa(.p384)):
      (try? P384.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: message) }
        ?? false
    case (.p521(let key), .ecdsa(.p521)):
      (try? P521.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: message) }
        ?? false
    case (.rsa(let key), .pkcs1(let hash)):
      Self.verifies(signature, of: message, hash, .insecurePKCS1v1_5, by: key)
    case (.rsa(let key), .pss(let hash)): Self.verifies(signature, of: message, hash, .PSS, by: key)
    case (.ed25519(let key), .ed25519): signature.count == 64 && key.isValidSignature(signature, for: message)
    case (.secret(let key, let own), .hmac(let hash)):
      own == hash && signature.count == hash.byteCount && Self.authenticates(signature, message, hash, by: key)
    default: false
    }
  }

  private static func verifies(
    _ signature: [UInt8], of message: ArraySlice<UInt8>, _ hash: HashKind, _ padding: _RSA.Signing.Padding,
    by key: _RSA.Signing.PublicKey
  ) -> Bool {
    let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
    return switch hash {
    case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: message), padding: padding)
    case .sha384: key.isValidSignature(signature, for: SHA384.hash(data: message), padding: padding)
    case .sha512: key.isValidSignature(signature, for: SHA512.hash(data: message), padding: padding)
    }
  }

  /// In a time that does not depend on where two codes differ.
  private static func authenticates(
    _ code: [UInt8], _ message: ArraySlice<UInt8>, _ hash: HashKind, by key: SymmetricKey
  ) -> Bool {
    switch hash {
    case .sha256: HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
    case .sha384: HMAC<SHA384>.isValidAuthenticationCode(code, authenticating: message, using: key)
    case .sha512: HMAC<SHA512>.isValidAuthenticationCode(code, authenticating: message, using: key)
    }
  }
}
