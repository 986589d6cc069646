internal import Foundation

/// The comment in which MobileFirst servers of version 7 and earlier send JSON, so that a page of another site can't run it as a
/// script: `/*-secure-`, a line end, the JSON and `*/`.
enum SecureComment {
  private static let opening = Data("/*-secure-".utf8)
  private static let closing = Data("*/".utf8)

  /// What is in the comment; the data themselves where there is none. White space around it does not matter, and neither does a
  /// missing end.
  static func content(of data: Data) -> Data {
    var text = trimmed(data)
    guard text.starts(with: opening) else { return data }
    text = trimmed(text.dropFirst(opening.count))
    if text.suffix(closing.count) == closing { text = text.dropLast(closing.count) }
    return Data(trimmed(text))
  }

  private static func trimmed(_ data: Data) -> Data {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let start = data.firstIndex { !isBlank($0) } ?? data.endIndex
    let end = data.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
    return data[start..<max(start, end)]
  }
}
