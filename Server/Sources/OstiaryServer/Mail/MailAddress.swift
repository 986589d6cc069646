import Foundation

/// An e-mail address that can be written into a mail and an SMTP command unchanged: `local@domain`, where the local
/// part is a dot-atom (RFC 5322 §3.4.1, with the letters of RFC 6532) and the domain is a name.
///
/// Quoted local parts and address literals are refused: they are very rare, and each of their characters needs quoting
/// rules in every place that writes them.
public struct MailAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address, in NFKC.
  public let description: String
  /// Whether only ASCII is in it; anything else needs SMTPUTF8 (RFC 6531).
  var isASCII: Bool { description.utf8.allSatisfy { $0 < 0x80 } }

  static let mostBytes = 254
  private static let signs = Set("!#$%&'*+-/=?^_`{|}~".unicodeScalars)

  /// Reads an address; nil if the text is no address, or one of an unsupported form.
  public init?(_ text: String) {
    guard text.utf8.count <= 4 * Self.mostBytes else { return nil }
    let text = text.precomposedStringWithCompatibilityMapping
    let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.mostBytes, parts.count == 2, String(parts[0]).utf8.count <= 64,
      Self.isDotAtom(parts[0]), Self.isDomain(parts[1])
    else { return nil }
    description = text
  }

  /// Reads an address that a person typed or copied, with spaces or invisible characters around it.
  static func typed(_ text: String) -> MailAddress? {
    // The full stops of East Asia stand for points in addresses (UTS #46).
    let scalars = NameText.withoutPadding(text).unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar.value == 0x3002 || scalar.value == 0xFF61 ? "." : scalar
    }
    return MailAddress(String(String.UnicodeScalarView(scalars)))
  }

  /// An address without an owner (RFC 2606).
  static let nobody = MailAddress(known: "nobody@invalid.example")

  private init(known text: StaticString) { description = text.description }

  private static func isDotAtom(_ text: Substring.UnicodeScalarView) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.allSatisfy { isWord($0) || signs.contains($0) }
    }
  }

  private static func isDomain(_ text: Substring.UnicodeScalarView) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      guard let first = label.first, let last = label.last, String(label).utf8.count <= 63 else { return false }
      return first != "-" && last != "-" && label.allSatisfy { isWord($0) || $0 == "-" }
    }
  }

  /// Letters, their marks, and digits.
  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .decimalNumber:
      return true
    default: return false
    }
  }
}
