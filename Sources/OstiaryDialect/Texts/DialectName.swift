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

  /// Whether a field carries a text: visible ASCII, and blanks between it. What a server could take for another line is refused.
  package static func isFieldValue(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, first != 0x20, last != 0x20 else { return false }
    return isFieldLiteral(text)
  }

  /// Whether a text may stand among others in a field.
  package static func isFieldLiteral(_ text: String) -> Bool {
    text.hasOnlyBytes { $0 >= 0x20 && $0 < 0x7F }
  }

  /// Whether a byte may stand in a cookie's value (`cookie-octet` of RFC 6265 §4.1.1).
  package static func isCookieByte(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !cookieMarks.contains(byte)
  }

  private static let cookieMarks: Set<UInt8> = Set("\",;\\".utf8)

  /// Whether a text is the name of a field or a cookie (`token` of RFC 9110 §5.6.2).
  package static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { ASCII.isAlpha($0) || ASCII.isDigit($0) || tokenMarks.contains($0) }
  }

  private static let tokenMarks: Set<UInt8> = Set("!#$%&'*+-.^_`|~".utf8)
}
