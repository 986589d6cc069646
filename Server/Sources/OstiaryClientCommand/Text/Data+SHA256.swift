internal import Crypto
internal import Foundation

extension Data {
  /// The SHA-256 of the bytes, in hexadecimal digits.
  var sha256: String {
    SHA256.hash(data: self).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
