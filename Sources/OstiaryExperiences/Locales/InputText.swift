internal import Foundation

/// What people type without meaning it: invisible characters, wide letters, spaces and hyphens of other kinds.
enum InputText {
  /// For numbers, days and telephone numbers: digits, letters and punctuation of ASCII for those of other scripts and
  /// widths, no invisible characters, no spaces around it.
  static func narrow(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x20...0x7E: plain.append(scalar)
      // Japanese keyboards type the sign of long vowels where a hyphen is meant.
      case 0x2010...0x2015, 0x2212, 0x30FC, 0xFE58, 0xFE63, 0xFF0D, 0xFF70: plain.append("-")
      case 0xFF01...0xFF5E: plain.append(wide(scalar))
      default:
        if scalar.properties.isDefaultIgnorableCodePoint { continue }
        if scalar.properties.numericType == .decimal, let digit = scalar.properties.numericValue {
          plain.append(Unicode.Scalar(48 + UInt8(digit)))
        } else {
          plain.append(scalar.properties.isWhitespace ? " " : scalar)
        }
      }
    }
    return trimmed(String(plain))
  }

  /// Without spaces around it.
  static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  /// For addresses: normalized (NFC), letters of ASCII for wide ones, without what comes along when text is copied.
  static func address(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return text }
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0xFF01...0xFF5E: plain.append(wide(scalar))
      // The full stops of East Asia stand for points in addresses (UTS #46).
      case 0x3002, 0xFF61: plain.append(".")
      case 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF: continue
      default: plain.append(scalar)
      }
    }
    return name(String(plain))
  }

  /// For names and other lines of text: normalized (NFC), without spaces and invisible characters around it.
  static func name(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isPadding($0) }), let last = scalars.lastIndex(where: { !isEnd($0) })
    else { return "" }
    return String(scalars[first...last]).precomposedStringWithCanonicalMapping
  }

  /// Whether a character belongs into no address.
  static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
      || scalar.properties.isDefaultIgnorableCodePoint
  }

  private static func isPadding(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
  }

  /// Marks that choose the form of what stands before them may end a text: emoji, ideographs.
  private static func isEnd(_ scalar: Unicode.Scalar) -> Bool {
    isPadding(scalar) && !scalar.properties.isVariationSelector && !(0xE0020...0xE007F).contains(scalar.value)
  }

  private static func wide(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
  }
}
