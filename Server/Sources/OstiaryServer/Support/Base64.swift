import Foundation

extension Sequence<UInt8> {
  /// Base64 without padding (RFC 4648 §4), as the PHC string format wants it.
  var base64Unpadded: String { String(decoding: base64Bytes, as: UTF8.self) }

  /// Base64 with the alphabet for URLs, without padding (RFC 4648 §5).
  var base64URL: String {
    var text = base64Bytes
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "+"): text[index] = UInt8(ascii: "-")
      case UInt8(ascii: "/"): text[index] = UInt8(ascii: "_")
      default: break
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private var base64Bytes: [UInt8] {
    var text = [UInt8](Data(self).base64EncodedData())
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    return text
  }
}

extension StringProtocol {
  /// The bytes of unpadded base64; nil for any other text.
  var decodedBase64Unpadded: [UInt8]? {
    utf8.contains(UInt8(ascii: "=")) ? nil : Self.decodeBase64(Array(utf8))
  }

  /// The bytes of base64 with the alphabet for URLs, without padding (RFC 4648 §5); nil for any other text.
  var decodedBase64URL: [UInt8]? {
    var text = Array(utf8)
    for index in text.indices {
      guard text[index].isBase64URL else { return nil }
      switch text[index] {
      case UInt8(ascii: "-"): text[index] = UInt8(ascii: "+")
      case UInt8(ascii: "_"): text[index] = UInt8(ascii: "/")
      default: break
      }
    }
    return Self.decodeBase64(text)
  }

  private static func decodeBase64(_ text: [UInt8]) -> [UInt8]? {
    let padded = Data(text + [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4))
    // The same bytes have one text only: bits that decoding ignores must be zero.
    guard let bytes = Data(base64Encoded: padded), bytes.base64EncodedData() == padded else { return nil }
    return Array(bytes)
  }
}

extension UInt8 {
  /// Whether it is of the alphabet for URLs.
  var isBase64URL: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
