import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// The key with which a connected app signs assertions: RSA, at least 2048 bits.
struct SalesforceAssertionKey: Sendable {
  private let key: _RSA.Signing.PublicKey

  /// Reads a certificate or a public key; nil for anything else.
  init?(pem: String) {
    var text = pem
    if let certificate = try? Certificate(pemEncoded: pem),
      let key = try? certificate.publicKey.serializeAsPEM().pemString
    {
      text = key
    }
    guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: text), key.keySizeInBits >= 2048 else { return nil }
    self.key = key
  }

  /// Whether the key has signed that message with RS256 (RFC 7518 §3.3).
  func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    key.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: Data(signature)), for: SHA256.hash(data: message),
      padding: .insecurePKCS1v1_5)
  }
}
