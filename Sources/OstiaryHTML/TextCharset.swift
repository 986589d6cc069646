package import Foundation
internal import OstiaryCore

/// The character set of a page, and of the forms that it sends (Encoding standard; the labels that pages really use).
package struct TextCharset: Sendable, Hashable {
  /// How bytes become text.
  private enum Coding: Sendable, Hashable {
    case utf8
    case windows1252
    /// One that Foundation knows on every platform.
    case other(String.Encoding)
    /// One that is unknown here. ASCII is the same in it, as in all that pages are written in.
    case unknown
  }

  /// Its name as forms send it: `UTF-8`.
  package let name: String
  private let coding: Coding

  /// UTF-8.
  package static let utf8 = TextCharset(name: "UTF-8", coding: .utf8)
  /// Windows-1252, which pages that say ISO-8859-1 or ASCII are read in (Encoding standard §4.2).
  package static let windows1252 = TextCharset(name: "windows-1252", coding: .windows1252)

  private init(name: String, coding: Coding) {
    self.name = name
    self.coding = coding
  }

  /// The character set that a label names, such as `iso-8859-1`. Of one that is not known, ASCII is all that can be
  /// read and sent. UTF-16 is UTF-8 here, as it is for a browser that sends a form.
  package init(label: String) {
    let label = ASCII.lowercased(ASCII.trimmed(Array(label.utf8.prefix(40))))
    switch label {
    case "utf-8", "utf8", "unicode-1-1-utf-8", "utf-16", "utf-16le", "utf-16be": self = .utf8
    case "iso-8859-1", "iso8859-1", "latin1", "l1", "ascii", "us-ascii", "windows-1252", "cp1252", "x-cp1252",
      "iso_8859-1", "ansi_x3.4-1968":
      self = .windows1252
    case "iso-8859-2", "latin2": self.init(name: "ISO-8859-2", coding: .other(.isoLatin2))
    case "windows-1250", "cp1250": self.init(name: "windows-1250", coding: .other(.windowsCP1250))
    case "windows-1251", "cp1251": self.init(name: "windows-1251", coding: .other(.windowsCP1251))
    case "windows-1253", "cp1253": self.init(name: "windows-1253", coding: .other(.windowsCP1253))
    case "windows-1254", "cp1254", "iso-8859-9": self.init(name: "windows-1254", coding: .other(.windowsCP1254))
    case "shift_jis", "shift-jis", "sjis", "windows-31j", "x-sjis":
      self.init(name: "Shift_JIS", coding: .other(.shiftJIS))
    default: self.init(name: label, coding: .unknown)
    }
  }

  /// The text that bytes are. What is none in this character set becomes replacement characters.
  package func decode(_ data: Data) -> String {
    switch coding {
    case .utf8, .unknown:
      return String(decoding: data, as: UTF8.self)
    case .windows1252:
      return String(String.UnicodeScalarView(data.map { Self.scalar(windows1252: $0) }))
    case .other(let encoding):
      return String(data: data, encoding: encoding) ?? String(decoding: data, as: UTF8.self)
    }
  }

  /// The bytes of a text. As browsers do, a character that this character set does not have becomes a numeric reference
  /// (`&#8364;`).
  /// - Returns: `nil` for characters beyond ASCII in a character set that is not known.
  package func encode(_ text: String) -> [UInt8]? {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
    switch coding {
    case .utf8: return Array(text.utf8)
    case .unknown: return nil
    case .windows1252:
      return text.unicodeScalars.flatMap { scalar in
        Self.byte(windows1252: scalar).map { [$0] } ?? Self.reference(to: scalar)
      }
    case .other(let encoding):
      return text.unicodeScalars.flatMap { scalar in
        String(scalar).data(using: encoding).map(Array.init) ?? Self.reference(to: scalar)
      }
    }
  }

  private static func reference(to scalar: Unicode.Scalar) -> [UInt8] { Array("&#\(scalar.value);".utf8) }

  /// What the bytes 0x80 to 0x9F are (Encoding standard, index windows-1252).
  private static let upper: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]

  private static func scalar(windows1252 byte: UInt8) -> Unicode.Scalar {
    guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(upper[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }

  private static func byte(windows1252 scalar: Unicode.Scalar) -> UInt8? {
    if scalar.value < 0x80 || (0xA0...0xFF).contains(scalar.value) { return UInt8(scalar.value) }
    return upper.firstIndex { UInt32($0) == scalar.value }.map { UInt8($0 + 0x80) }
  }
}
