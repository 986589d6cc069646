internal import Crypto
internal import Foundation
internal import OstiaryCore

/// Text that can't be guessed.
enum RandomText {
  /// 256 random bits as 43 characters of base64url (RFC 7636 §4.1 recommends so many).
  static func make() -> String {
    SymmetricKey(size: .bits256).withUnsafeBytes { Base64URL.encode(Data($0)) }
  }

  /// Whether two texts are the same, in a time that does not depend on where they differ.
  static func areEqual(_ one: String, _ other: String) -> Bool {
    // Hashes are of one length, so that the length shows as little as the content.
    let (one, other) = (Array(SHA256.hash(data: Data(one.utf8))), Array(SHA256.hash(data: Data(other.utf8))))
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
