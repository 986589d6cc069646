internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import OstiaryCore

/// A secret of two sides, long enough for its hash and certainly no public key.
struct SharedSecret: Sendable {
  let key: SymmetricKey
  let hash: HashKind

  init(_ bytes: [UInt8], _ algorithm: SignatureAlgorithm) throws(JOSEError) {
    guard case .hmac(let hash) = algorithm.scheme else {
      throw JOSEError(.keyNotAllowed, "A shared secret is for HS256, HS384 and HS512 alone.", source: "RFC 7518 §3.2")
    }
    guard bytes.count >= hash.byteCount else {
      throw JOSEError(
        .unusableKey, "The shared secret is shorter than the algorithm's hash: \(hash.byteCount) bytes at least.",
        source: "RFC 7518 §3.2")
    }
    guard !Self.isPublicKey(bytes) else {
      throw JOSEError(.unusableKey, "A public key is no secret.", source: "RFC 8725 §2.1")
    }
    key = SymmetricKey(data: bytes)
    self.hash = hash
  }

  /// Whether the bytes are a public key in one of the forms in which programs keep one: PEM, OpenSSH, SSH2, a JWK or a key set, DER, or DER
  /// in base64 of both kinds; certificates too. What an attacker knows must not be what a token is verified with.
  private static func isPublicKey(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.contains("-----BEGIN ") || text.contains("---- BEGIN ") { return true }
    let start = text.drop { $0.isWhitespace }
    if ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"].contains(where: { start.hasPrefix($0) }) { return true }
    if let members = JSONValue(json: Data(bytes))?.object, members["kty"] != nil || members["keys"] != nil {
      return true
    }
    let base64 = text.filter { !$0.isWhitespace }
    let forms = [bytes, Data(base64Encoded: base64).map { [UInt8]($0) }, StrictBase64URL.decode(base64)]
    return forms.compactMap { $0 }.contains { isSequence($0) || PublicPEM.parameters(der: Data($0)) != nil }
  }

  /// Whether the bytes are one sequence of DER with a length of two bytes, as a certificate is: by chance one secret in 2³² is.
  private static func isSequence(_ bytes: [UInt8]) -> Bool {
    bytes.count > 4 && bytes[0] == 0x30 && bytes[1] == 0x82 && Int(bytes[2]) << 8 | Int(bytes[3]) == bytes.count - 4
  }
}
