internal import Foundation
internal import OstiaryCore

/// The claims of a JWT (RFC 7519) whose signature is not looked at.
///
/// The server that gave the token over TLS speaks for them, as it does for the rest of its answer. They decide nothing that the server
/// would not be believed without a JWT: a name to show, and when a token is best renewed.
enum UnverifiedClaims {
  /// The longest token that is read.
  static let maximumSize = 16 * 1024

  /// The claims; `nil` for a text that is no signed JWT.
  static func claims(of token: Secret) -> JSONValue? {
    let text = token.reveal()
    guard text.utf8.count <= maximumSize else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let data = decode(parts[1]), let claims = JSONValue(json: data), claims.object != nil else {
      return nil
    }
    return claims
  }

  /// Base64 in the alphabet for addresses, without padding (RFC 4648 §5).
  static func decode(_ text: Substring) -> Data? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 3)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "/"))
      default:
        guard ASCII.isAlpha(byte) || ASCII.isDigit(byte) else { return nil }
        bytes.append(byte)
      }
    }
    while bytes.count % 4 != 0 { bytes.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(bytes))
  }
}
