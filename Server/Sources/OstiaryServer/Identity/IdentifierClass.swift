import Foundation

/// The characters of identifiers: the IdentifierClass of RFC 8264, with the rules for characters in context of RFC 5892,
/// appendix A, and the Bidi Rule of RFC 5893.
enum IdentifierClass {
  /// Whether text, without spaces, is such an identifier.
  static func contains(_ text: some Collection<Unicode.Scalar>) -> Bool {
    let scalars = Array(text)
    guard !scalars.isEmpty else { return false }
    return scalars.indices.allSatisfy { isAllowed(at: $0, in: scalars) } && hasOneDirection(scalars)
  }

  // MARK: Characters

  private static func isAllowed(at place: Int, in text: [Unicode.Scalar]) -> Bool {
    let scalar = text[place]
    switch scalar.value {
    // Exceptions (RFC 8264, section 9.6), which come first.
    case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: return true
    case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
    case 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x660...0x669, 0x6F0...0x6F9: return isInContext(place, text)
    case 0x21...0x7E: return true
    case 0x200C, 0x200D: return joins(at: place, text)
    // Old Hangul Jamo, which has syllables of its own (section 9.9).
    case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB: return false
    default: return isLetterOrDigit(scalar)
    }
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .otherLetter, .decimalNumber, .modifierLetter, .nonspacingMark,
      .spacingMark:
      guard !properties.isDefaultIgnorableCodePoint, !properties.isNoncharacterCodePoint else { return false }
      // What has a compatibility form (section 9.17) is another way to write something else.
      let text = String(Character(scalar))
      return text.precomposedStringWithCompatibilityMapping.unicodeScalars.elementsEqual(text.unicodeScalars)
    default: return false
    }
  }

  // MARK: Context (RFC 5892, appendix A)

  /// The joiners, after a virama; the one that keeps apart also between letters that would join.
  private static func joins(at place: Int, _ text: [Unicode.Scalar]) -> Bool {
    guard place > 0 else { return false }
    if text[place - 1].properties.canonicalCombiningClass == .virama { return true }
    guard text[place].value == 0x200C else { return false }
    let joining = UnicodeClasses.joining
    let before = text[..<place].last { joining[$0] != "T" }.map { joining[$0] }
    let after = text[(place + 1)...].first { joining[$0] != "T" }.map { joining[$0] }
    return (before == "L" || before == "D") && (after == "R" || after == "D")
  }

  private static func isInContext(_ place: Int, _ text: [Unicode.Scalar]) -> Bool {
    let before = place > 0 ? text[place - 1] : nil
    let after = place + 1 < text.count ? text[place + 1] : nil
    switch text[place].value {
    // A middle dot between two l, as in Catalan.
    case 0xB7: return before == "l" && after == "l"
    // A lower numeral sign before Greek.
    case 0x375: return after.map(isGreek) ?? false
    // Geresh and gershayim after Hebrew.
    case 0x5F3, 0x5F4: return before.map(isHebrew) ?? false
    // A middle dot in Japanese.
    case 0x30FB: return text.contains(where: isJapanese)
    // Digits of one kind of the two Arabic ones.
    case 0x660...0x669: return !text.contains { (0x6F0...0x6F9).contains($0.value) }
    default: return !text.contains { (0x660...0x669).contains($0.value) }
    }
  }

  private static func isGreek(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x374, 0x37E, 0x385, 0x387: false
    case 0x370...0x3E1, 0x3F0...0x3FF, 0x1F00...0x1FFE, 0x1D26...0x1D2A, 0x2126, 0xAB65: true
    default: false
    }
  }

  private static func isHebrew(_ scalar: Unicode.Scalar) -> Bool {
    (0x591...0x5F4).contains(scalar.value) || (0xFB1D...0xFB4F).contains(scalar.value)
  }

  private static func isJapanese(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3005, 0x3007, 0x3021...0x3029, 0x3038...0x303B, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA,
      0x30FD...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAD9, 0xFF66...0xFF6F,
      0xFF71...0xFF9D, 0x1B000...0x1B167, 0x20000...0x323AF, 0x2E80...0x2FD5:
      true
    default: false
    }
  }

  // MARK: Direction (RFC 5893, section 2)

  private static func hasOneDirection(_ text: [Unicode.Scalar]) -> Bool {
    // What is below 0x590 has no right-to-left letters.
    guard text.contains(where: { $0.value >= 0x590 }) else { return true }
    let classes = text.map { UnicodeClasses.directions[$0] }
    guard classes.contains(where: { $0 == "R" || $0 == "AL" || $0 == "AN" }) else { return true }
    let isRightToLeft = classes[0] == "R" || classes[0] == "AL"
    guard isRightToLeft || classes[0] == "L", let last = classes.last(where: { $0 != "NSM" }) else { return false }
    let both: Set = ["EN", "ES", "CS", "ET", "ON", "BN", "NSM"]
    if isRightToLeft {
      return classes.allSatisfy { both.contains($0) || $0 == "R" || $0 == "AL" || $0 == "AN" }
        && ["R", "AL", "EN", "AN"].contains(last) && !(classes.contains("EN") && classes.contains("AN"))
    }
    return classes.allSatisfy { both.contains($0) || $0 == "L" } && ["L", "EN"].contains(last)
  }
}
