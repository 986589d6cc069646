internal import OstiaryCore

/// What a path may be, so that every server takes it for the same.
enum DialectPath {
  /// Whether a byte may stand in a path as it is (`pchar` of RFC 3986 §3.3, with the slash and the percent sign of an escape).
  static func isPathByte(_ byte: UInt8) -> Bool {
    ASCII.isAlpha(byte) || ASCII.isDigit(byte) || pathMarks.contains(byte)
  }

  private static let pathMarks: Set<UInt8> = Set("/-._~!$&'()*+,;=:@%".utf8)

  /// Whether a segment that is not empty is one for every server: some take off parameters, undo escapes, and split at slashes
  /// and backslashes, before they look for dots.
  static func staysInPlace(_ segment: String) -> Bool {
    guard let decoded = PercentEncoding.decode(segment), !decoded.isEmpty else { return false }
    let parts = decoded.utf8.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
    return parts.allSatisfy { part in
      let name = part.prefix { $0 != UInt8(ascii: ";") }
      if name.isEmpty { return parts.count > 1 }
      return !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8)
    }
  }
}
