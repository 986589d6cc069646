/// Text of a protocol, cut and compared by its bytes.
///
/// A `Character` may hide a separator: `;` and a combining mark after it are one character. `String` compares as Unicode does,
/// and no parser does: U+212A KELVIN SIGN equals `K`, and becomes `k` in lower case. `Scripts/lint.sh` allows only these
/// functions in the folders that read protocols.
extension StringProtocol where SubSequence == Substring {
  /// The parts between the separators, empty parts included.
  func byteParts(at separators: ASCIIByte...) -> [Substring] {
    let bytes = separators.map(\.value)
    return self[...].utf8.split(omittingEmptySubsequences: false) { bytes.contains($0) }.map { Substring($0) }
  }

  /// The elements of a comma-separated list (RFC 9110 §5.6.1), without blanks around them and without empty elements.
  var listElements: [Substring] { byteParts(at: ",").map(\.trimmingBlanks).filter { !$0.isEmpty } }

  /// The text before the first of the separators; the whole text if there is none.
  func bytePrefix(before separators: ASCIIByte...) -> Substring {
    let bytes = separators.map(\.value)
    return Substring(self[...].utf8.prefix { !bytes.contains($0) })
  }

  /// The texts before and after the first separator; nil if there is none.
  func byteHalves(at separator: ASCIIByte) -> (before: Substring, after: Substring)? {
    let bytes = self[...].utf8
    let before = bytes.prefix { $0 != separator.value }
    guard before.endIndex < bytes.endIndex else { return nil }
    return (Substring(before), Substring(bytes[before.endIndex...].dropFirst()))
  }

  /// The text without its first `count` bytes.
  func droppingBytes(_ count: Int) -> Substring { Substring(self[...].utf8.dropFirst(count)) }

  /// The text without its last `count` bytes.
  func droppingLastBytes(_ count: Int) -> Substring { Substring(self[...].utf8.dropLast(count)) }

  /// The text without blanks and tabs at its ends (RFC 9110 §5.6.3).
  var trimmingBlanks: Substring {
    var rest = self[...].utf8
    while let byte = rest.first, byte == 0x20 || byte == 0x09 { rest.removeFirst() }
    while let byte = rest.last, byte == 0x20 || byte == 0x09 { rest.removeLast() }
    return Substring(rest)
  }
}

extension StringProtocol {
  /// Whether a byte of ASCII is among the bytes.
  func containsByte(_ byte: ASCIIByte) -> Bool { utf8.contains(byte.value) }

  /// Whether both are the same bytes.
  func hasSameBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Whether the bytes begin with those of another text.
  func hasBytePrefix(_ prefix: some StringProtocol) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Whether the bytes end with those of another text.
  func hasByteSuffix(_ suffix: some StringProtocol) -> Bool {
    utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// The text with the letters of ASCII in lower case, and nothing else changed.
  var lowercasedASCII: String {
    guard utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return String(self) }
    return String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The text with the letters of ASCII in upper case, and nothing else changed.
  var uppercasedASCII: String {
    String(decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self)
  }
}

/// One byte of ASCII, written as it is read: `";"`.
struct ASCIIByte: ExpressibleByUnicodeScalarLiteral, Sendable {
  let value: UInt8

  init(unicodeScalarLiteral value: Unicode.Scalar) { self.value = UInt8(ascii: value) }
}

extension Unicode.Scalar {
  /// Whether the scalar could move the cursor, end a line or turn the text around when printed.
  var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
    default: false
    }
  }
}

extension Sequence<UInt8> {
  /// Two lower-case digits for each byte.
  var hexadecimal: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension String {
  /// The string quoted so that a shell reads it as one word, with any content.
  package var shellWord: String { "'\(replacing("'", with: "'\\''"))'" }
}
