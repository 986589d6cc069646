internal import OstiaryCore

/// Character references in HTML: the numeric ones and the names that pages use most.
enum HTMLEntities {
  private static let named: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "reg": "®",
    "laquo": "«", "raquo": "»", "hellip": "…", "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“",
    "rdquo": "”", "bull": "•", "middot": "·", "euro": "€", "sect": "§", "deg": "°", "times": "×", "auml": "ä",
    "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "agrave": "à", "acirc": "â",
    "aacute": "á", "eacute": "é", "egrave": "è", "ecirc": "ê", "iacute": "í", "oacute": "ó", "uacute": "ú",
    "ocirc": "ô", "ntilde": "ñ", "ccedil": "ç",
  ]

  /// No reference worth knowing is longer, without its `&`.
  private static let maximumLength = 12

  /// The text with its references resolved; what is none stays as it is.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var position = bytes.startIndex
    while position < bytes.endIndex {
      if bytes[position] == UInt8(ascii: "&"), let (text, length) = reference(bytes[(position + 1)...]) {
        output.append(contentsOf: text.utf8)
        position += 1 + length
      } else {
        output.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// What the reference after an `&` stands for, and how many bytes it has.
  private static func reference(_ bytes: ArraySlice<UInt8>) -> (text: String, length: Int)? {
    let window = bytes.prefix(maximumLength)
    if window.first == UInt8(ascii: "#") {
      let isHexadecimal = window.dropFirst().first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
      let prefix = isHexadecimal ? 2 : 1
      let digits = window.dropFirst(prefix).prefix {
        isHexadecimal ? ASCII.hexValue($0) != nil : ASCII.isDigit($0)
      }
      guard !digits.isEmpty else { return nil }
      let number = digits.reduce(UInt32(0)) { value, digit in
        min(value &* (isHexadecimal ? 16 : 10) &+ UInt32(ASCII.hexValue(digit) ?? 0), 0x11_0000)
      }
      let scalar = number == 0 ? nil : Unicode.Scalar(number)
      let length = prefix + digits.count
      let hasEnd = bytes.dropFirst(length).first == UInt8(ascii: ";")
      return (String(scalar ?? "\u{FFFD}"), hasEnd ? length + 1 : length)
    }
    guard let end = window.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: window[..<end], as: UTF8.self)
    return named[name].map { ($0, end - window.startIndex + 1) }
  }
}
