internal import Foundation
internal import OstiaryCore

/// Finds out what a page is written in, as browsers do: a byte order mark, then the `Content-Type` field, then the page's
/// own word within its first 1024 bytes (HTML standard §13.2.3), and otherwise UTF-8.
enum HTMLCharset {
  /// The character set of a page, and the page in UTF-8.
  static func read(_ bytes: [UInt8], contentType: String?) -> (TextCharset, [UInt8]) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, Array(bytes.dropFirst(3))) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf8, utf16(bytes.dropFirst(2), high: 0, low: 1)) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf8, utf16(bytes.dropFirst(2), high: 1, low: 0)) }
    let label = contentType.flatMap(parameter) ?? declared(bytes)
    let charset = label.map { TextCharset(label: $0) } ?? .utf8
    if charset == .utf8 || bytes.allSatisfy({ $0 < 0x80 }) { return (charset, bytes) }
    return (charset, Array(charset.decode(Data(bytes)).utf8.prefix(HTMLPage.maximumSize)))
  }

  /// The `charset` parameter of a media type, or of what a `<meta>` says in its place.
  static func parameter(_ contentType: String) -> String? {
    for part in contentType.split(separator: ";").dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, ASCII.matches(ASCII.trimmed(Array(pair[0].utf8)), "charset") else { continue }
      let value = ASCII.trimmed(Array(pair[1].utf8)).filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
      return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
    }
    return nil
  }

  private static func declared(_ bytes: [UInt8]) -> String? {
    var tokens = HTMLTokens(Array(bytes.prefix(1_024)))
    while let token = tokens.next() {
      guard case .start(.meta, _) = token else { continue }
      if let charset = tokens["charset"], !charset.isEmpty { return charset }
      if tokens["http-equiv"]?.lowercased() == "content-type", let charset = tokens["content"].flatMap(parameter) {
        return charset
      }
    }
    return nil
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, high: Int, low: Int) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var position = bytes.startIndex
    while position + 1 < bytes.endIndex {
      units.append(UInt16(bytes[position + high]) << 8 | UInt16(bytes[position + low]))
      position += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8.prefix(HTMLPage.maximumSize))
  }
}
