package import Foundation

/// Base64 with the alphabet for addresses, without padding (RFC 4648 §5, RFC 7515 §2).
package enum Base64URL {
  /// The bytes as text.
  package static func encode(_ data: some DataProtocol) -> String {
    alphabet(fromBase64: Data(data).base64EncodedString())
  }

  /// Plain base64 (RFC 4648 §4) in this alphabet.
  package static func alphabet(fromBase64 text: some StringProtocol) -> String {
    String(
      decoding: text.utf8.lazy.filter { $0 != UInt8(ascii: "=") }.map { byte in
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
      }, as: UTF8.self)
  }
}
