import Foundation

extension Sequence<UInt8> {
  /// Base64 without padding (RFC 4648 §4), as the PHC string format wants it.
  var base64Unpadded: String {
    var text = Data(self).base64EncodedString()
    while text.last == "=" { text.removeLast() }
    return text
  }

  /// Base64 with the alphabet for URLs, without padding (RFC 4648 §5).
  var base64URL: String {
    String(
      base64Unpadded.map { character in
        switch character {
        case "+": "-"
        case "/": "_"
        default: character
        }
      })
  }
}

extension StringProtocol {
  /// The bytes of unpadded base64, or nothing if it is anything else.
  var decodedBase64Unpadded: [UInt8]? {
    guard !contains("=") else { return nil }
    let padding = String(repeating: "=", count: (4 - utf8.count % 4) % 4)
    guard let bytes = Data(base64Encoded: self + padding).map(Array.init), bytes.base64Unpadded == self else {
      return nil
    }
    return bytes
  }
}
