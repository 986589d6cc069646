import Foundation

/// The rules for user names: those of RFC 8265, section 3, for names that keep their case.
///
/// A name is one or more parts of the IdentifierClass with spaces between them, 1 to 256 code points, in NFC, with the
/// usual forms of wide and narrow letters. Spaces and invisible characters around it are left out. How names are compared
/// is ``NameKey``'s, which has the same key for a name before and after; so names of earlier versions, which had other
/// rules, still log in, and no new name has the key of another old one.
enum UserName {
  static let maximumCount = 256
  static let maximumBytes = NameKey.mostBytes

  /// The name as it is stored.
  /// - Throws: `invalidUserName`.
  static func validated(_ name: String) throws(ServerError) -> String {
    let kept = try NameText.kept(name, refused)
    let usual = NameText.ofUsualWidth(kept).precomposedStringWithCanonicalMapping
    guard usual.unicodeScalars.count <= maximumCount else { throw refused("is too long") }
    let parts = usual.unicodeScalars.split(separator: " ")
    // An address that is a name has its own direction on each side of its marks.
    let isRegular = parts.allSatisfy { part in
      IdentifierClass.contains(part)
        || part.contains("@") && part.split { $0 == "@" || $0 == "." }.allSatisfy { IdentifierClass.contains($0) }
    }
    guard isRegular else { throw refused("has characters, or an order of characters, that names can't have") }
    return usual
  }

  private static func refused(_ reason: String) -> ServerError {
    ServerError(
      .invalidUserName, "The user name \(reason).",
      advice: "Use 1 to \(maximumCount) letters, digits and signs of ASCII, in one direction of writing.")
  }
}

/// The rules for the names of people, which are shown and never compared: NFC, 1 to 256 code points on one line, without
/// spaces around them. Nothing else is a mistake in a name.
enum PersonName {
  /// - Throws: `invalidUserName`.
  static func validated(_ name: String) throws(ServerError) -> String {
    let kept = try NameText.kept(name, refused)
    guard !kept.unicodeScalars.contains(where: NameText.isControl) else { throw refused("has control characters") }
    return kept
  }

  private static func refused(_ reason: String) -> ServerError {
    ServerError(
      .invalidUserName, "The name \(reason).",
      advice: "Use 1 to \(UserName.maximumCount) characters, without control characters.")
  }
}

/// What both kinds of names have in common.
enum NameText {
  /// The name in NFC, without spaces and invisible characters around it.
  static func kept(
    _ name: String, _ refused: (String) -> ServerError
  ) throws(ServerError) -> String {
    guard name.utf8.count <= UserName.maximumBytes else { throw refused("is too long") }
    let kept = withoutPadding(name).precomposedStringWithCanonicalMapping
    guard !kept.isEmpty else { throw refused("is empty") }
    guard kept.unicodeScalars.count <= UserName.maximumCount, kept.utf8.count <= UserName.maximumBytes else {
      throw refused("is too long")
    }
    return kept
  }

  /// The name without spaces and invisible characters around it.
  static func withoutPadding(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isPadding($0) }), let last = scalars.lastIndex(where: { !isEnd($0) })
    else { return "" }
    return String(scalars[first...last])
  }

  private static func isPadding(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return properties.generalCategory == .spaceSeparator || properties.isDefaultIgnorableCodePoint
  }

  /// Marks that choose the form of the character before them may end a name.
  private static func isEnd(_ scalar: Unicode.Scalar) -> Bool {
    isPadding(scalar) && !scalar.properties.isVariationSelector && !(0xE0020...0xE007F).contains(scalar.value)
  }

  /// Whether a scalar could end a line, move the cursor or turn the text around it.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB: true
    // Other invisible characters have a place in names: joiners, Khmer's spaces between words (U+200B), Mongolian's vowel
    // separator, marks of direction, the tags of flags.
    case _ where scalar.properties.generalCategory == .format: false
    default: scalar.isUnprintable
    }
  }

  /// Wide and narrow letters in their usual form (RFC 8265, section 3.3.1, width mapping).
  static func ofUsualWidth(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isWide($0) }) else { return text }
    var usual = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isWide(scalar) {
        usual.append(contentsOf: String(Character(scalar)).precomposedStringWithCompatibilityMapping.unicodeScalars)
      } else {
        usual.append(scalar)
      }
    }
    return String(usual)
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    // The compatible form of a wide macron has a space in it. The macron stays, and is refused.
    scalar.value == 0x3000 || (0xFF01...0xFFEE).contains(scalar.value) && scalar.value != 0xFFE3
  }
}

/// The rules for tenants' names: 1 to 64 of the letters, digits, and `-`, `_`, `.` of ASCII, compared as they are.
enum TenantName {
  /// - Throws: `invalidTenant`.
  static func validated(_ name: String) throws(ServerError) -> String {
    guard isValid(name) else {
      throw ServerError(
        .invalidTenant, "The tenant's name is none.",
        advice: "Use 1 to 64 letters, digits, dots, hyphens or underscores.")
    }
    return name
  }

  static func isValid(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
  }
}
