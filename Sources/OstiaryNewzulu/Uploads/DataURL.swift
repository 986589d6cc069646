package import Foundation
internal import OstiaryCore

/// What a `data:` URL says (RFC 2397).
package struct DataURL: Sendable, Hashable {
  /// The media type without parameters; `text/plain` where none is said.
  package let mediaType: String
  /// The bytes.
  package let data: Data

  /// Reads a URL.
  /// - Returns: `nil` when it is of another scheme, or malformed.
  package init?(_ url: URL) {
    guard url.scheme?.lowercased() == "data" else { return nil }
    let text = url.absoluteString.dropFirst("data:".count)
    guard let comma = text.firstIndex(of: ",") else { return nil }
    var parameters = text[..<comma].split(separator: ";", omittingEmptySubsequences: false)
    let isBase64 = parameters.count > 1 && parameters.last?.lowercased() == "base64"
    if isBase64 { parameters.removeLast() }
    let type = parameters.first?.lowercased() ?? ""
    mediaType = type.isEmpty ? "text/plain" : type
    guard let bytes = Self.unescape(text[text.index(after: comma)...]) else { return nil }
    guard isBase64 else {
      data = bytes
      return
    }
    guard let decoded = Data(base64Encoded: bytes, options: .ignoreUnknownCharacters) else { return nil }
    data = decoded
  }

  private static func unescape(_ text: Substring) -> Data? {
    var output = Data(capacity: text.utf8.count)
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        output.append(byte)
        continue
      }
      guard let high = rest.popFirst(), let low = rest.popFirst(), let upper = hexValue(high), let lower = hexValue(low)
      else { return nil }
      output.append(upper << 4 | lower)
    }
    return output
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
