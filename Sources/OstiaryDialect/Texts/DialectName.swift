internal import OstiaryCore

/// The names that mean something in every dialect, and what names look like.
package enum DialectName {
  /// What only a sign-in has, and only in a body or Basic.
  package static let passwords: Set<String> = ["password", "code"]
  /// The names of values that no document gives to another.
  package static let builtIn: Set<String> = [
    "username", "password", "code", "handle", "token", "renewalToken", "userID", "userName", "deviceName", "lineage",
    "kind",
  ]

  /// Whether a text is the name of a value: a letter, then letters, digits and underscores.
  package static func isValueName(_ text: String) -> Bool { DialectTemplateParser.isName(text.utf8) }

  /// Whether a text is the name of a dialect: letters in lower case, digits and hyphens, at most 64.
  package static func isDialectName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first), text.utf8.count <= 64
    else { return false }
    return text.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-")
    }
  }

  /// Whether a byte may stand in a path as it is (`pchar` of RFC 3986 §3.3, with the slash).
  package static func isPathByte(_ byte: UInt8) -> Bool {
    ASCII.isAlpha(byte) || ASCII.isDigit(byte) || pathMarks.contains(byte)
  }

  private static let pathMarks: Set<UInt8> = Set("/-._~!$&'()*+,;=:@%".utf8)
}
