internal import Crypto
internal import CryptoExtras
internal import Foundation

/// Public keys in the forms that are not JSON: PEM (RFC 7468 §13) and DER (RFC 5280 §4.1.2.7).
enum PublicPEM {
  /// The numbers of a key in PEM; `nil` for any other text and for kinds that are not supported.
  static func parameters(_ pem: String) -> PublicJWK.Parameters? {
    block(pem, labels: ["PUBLIC KEY", "RSA PUBLIC KEY"]).flatMap { parameters(der: $0) }
  }

  /// The numbers of a key in DER.
  static func parameters(der: Data) -> PublicJWK.Parameters? {
    guard der.first == 0x30 else { return nil }
    let bytes = [UInt8](der)
    if bytes.count == ed25519Start.count + 32, bytes.starts(with: ed25519Start) {
      return .ed25519(Array(bytes.suffix(32)))
    }
    if let key = try? P256.Signing.PublicKey(derRepresentation: bytes) { return point(.p256, key.rawRepresentation) }
    if let key = try? P384.Signing.PublicKey(derRepresentation: bytes) { return point(.p384, key.rawRepresentation) }
    if let key = try? P521.Signing.PublicKey(derRepresentation: bytes) { return point(.p521, key.rawRepresentation) }
    // Small ones too: it is for `RSANumbers` to refuse them.
    if let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: bytes),
      let numbers = try? key.getKeyPrimitives()
    {
      return rsa(numbers)
    }
    return nil
  }

  static func rsa(_ numbers: _RSA.Signing.PublicKey.Primitives) -> PublicJWK.Parameters {
    .rsa(
      modulus: Array(numbers.modulus.drop { $0 == 0 }), exponent: Array(numbers.publicExponent.drop { $0 == 0 }))
  }

  static func point(_ curve: EllipticCurve, _ raw: Data) -> PublicJWK.Parameters {
    .ec(curve, x: Array(raw.prefix(curve.coordinateBytes)), y: Array(raw.suffix(curve.coordinateBytes)))
  }

  /// The bytes of the only block of a PEM text, if it has one of these labels.
  static func block(_ pem: String, labels: [String]) -> Data? {
    let lines = pem.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
    guard lines.count >= 3,
      let label = labels.first(where: { lines.first == "-----BEGIN \($0)-----" && lines.last == "-----END \($0)-----" }
      ),
      !label.isEmpty
    else { return nil }
    return Data(base64Encoded: lines.dropFirst().dropLast().joined())
  }

  /// What stands before the 32 bytes of an Ed25519 key (RFC 8410 §4).
  static let ed25519Start: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
}
