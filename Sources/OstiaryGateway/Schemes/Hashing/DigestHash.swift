internal import Crypto
internal import Foundation

/// A hash function of HTTP Digest authentication (RFC 7616 §3.3), the weakest first.
public enum DigestHash: String, Sendable, Hashable, CaseIterable, Comparable {
  /// MD5. Weak, and still what most servers offer.
  case md5 = "MD5"
  /// SHA-256, which every server of RFC 7616 knows.
  case sha256 = "SHA-256"
  /// SHA-512/256.
  case sha512t256 = "SHA-512-256"

  /// All of them, for a sentence.
  static let names = allCases.map(\.rawValue).joined(separator: ", ")

  private var strength: Int {
    switch self {
    case .md5: 0
    case .sha256: 1
    case .sha512t256: 2
    }
  }

  public static func < (lhs: DigestHash, rhs: DigestHash) -> Bool { lhs.strength < rhs.strength }

  /// How many hexadecimal digits a digest has.
  var length: Int { self == .md5 ? 32 : 64 }

  /// The digest of `message` in lower-case hexadecimal digits: `H(data)` of RFC 7616 §3.4.
  func callAsFunction(_ message: some Sequence<UInt8>) -> [UInt8] {
    let bytes = Array(message)
    return switch self {
    case .md5: Self.hexadecimal(Insecure.MD5.hash(data: bytes))
    case .sha256: Self.hexadecimal(SHA256.hash(data: bytes))
    case .sha512t256: Self.hexadecimal(SHA512t256.hash(bytes))
    }
  }

  /// The digest of the parts with colons between them.
  func callAsFunction(_ parts: [[UInt8]]) -> [UInt8] { self(parts.joined(separator: [UInt8(ascii: ":")])) }

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(64)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return digits
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
