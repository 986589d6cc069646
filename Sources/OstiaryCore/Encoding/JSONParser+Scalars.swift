internal import Foundation

// What has no parts: numbers and strings.
extension JSONParser {
  // MARK: Numbers

  mutating func parseNumber(_ text: Text) -> JSONValue? {
    let start = position
    if next(text) == UInt8(ascii: "-") { position += 1 }
    let first = next(text)
    let (whole, number) = readDigits(text)
    guard whole == 1 || (whole > 1 && first != UInt8(ascii: "0")) else { return nil }
    var isInteger = true
    if next(text) == UInt8(ascii: ".") {
      position += 1
      isInteger = false
      guard readDigits(text).count > 0 else { return nil }
    }
    if next(text) == UInt8(ascii: "e") || next(text) == UInt8(ascii: "E") {
      position += 1
      isInteger = false
      if next(text) == UInt8(ascii: "+") || next(text) == UInt8(ascii: "-") { position += 1 }
      guard readDigits(text).count > 0 else { return nil }
    }
    if isInteger, whole <= 18 { return .integer(text[start] == UInt8(ascii: "-") ? -number : number) }
    let digits = String(decoding: text[start..<position], as: UTF8.self)
    if isInteger, let number = Int64(digits) { return .integer(number) }
    guard let number = Double(digits), number.isFinite else { return nil }
    // 7.0 and 7 are the same number, which is an integer here, so that a value comes back from a store as it was.
    return Int64(exactly: number).map { .integer($0) } ?? .number(number)
  }

  private func next(_ text: Text) -> UInt8? { position < text.count ? text[position] : nil }

  /// - Returns: how many digits there are, and their number, which is right of up to 18.
  private mutating func readDigits(_ text: Text) -> (count: Int, number: Int64) {
    let start = position
    var end = position
    var number: Int64 = 0
    while end < text.count, ASCII.isDigit(text[end]) {
      number = number &* 10 &+ Int64(text[end] &- 48)
      end += 1
    }
    position = end
    return (end - start, number)
  }

  // MARK: Strings

  /// Reads a string, whose quotation mark is next.
  mutating func parseString(_ text: Text) -> String? {
    let start = position + 1
    // Most of a text is inside of strings.
    let end = Self.plainEnd(text, from: start)
    position = end
    isPlain = end < text.count && text[end] == UInt8(ascii: "\"")
    if isPlain {
      position += 1
      return String(decoding: Text(rebasing: text[start..<end]), as: UTF8.self)
    }
    return parseString(after: Array(text[start..<end]), text)
  }

  /// The place of the first byte that ends a string, begins an escape, is a control character or is not of ASCII.
  private static func plainEnd(_ text: Text, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(text)
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    var end = start
    // Eight bytes at once. Of the first byte that is looked for, the high bit is set; of those after it, it may be.
    while text.count - end >= 8 {
      let bytes = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: end, as: UInt64.self))
      let (marks, slashes) = (bytes ^ (ones &* 0x22), bytes ^ (ones &* 0x5C))
      let found = ((marks &- ones) | (slashes &- ones) | (bytes &- ones &* 0x20) | bytes) & highs
      guard found == 0 else { return end + found.trailingZeroBitCount / 8 }
      end += 8
    }
    while end < text.count, text[end] != UInt8(ascii: "\""), text[end] != UInt8(ascii: "\\"),
      (0x20..<0x80).contains(text[end])
    { end += 1 }
    return end
  }

  /// Reads the rest of a string that has escapes, or more than ASCII.
  private mutating func parseString(after beginning: [UInt8], _ text: Text) -> String? {
    var output = beginning
    while let byte = next(text) {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        let string = String(decoding: output, as: UTF8.self)
        // Decoding repairs what is not UTF-8; then it is not what was sent.
        return string.utf8.elementsEqual(output) ? string : nil
      case UInt8(ascii: "\\"):
        guard let scalar = parseEscape(text), let encoded = UTF8.encode(scalar) else { return nil }
        output.append(contentsOf: encoded)
      default:
        guard byte >= 0x20 else { return nil }
        output.append(byte)
      }
    }
    return nil
  }

  /// What stands for a character after a backslash.
  private mutating func parseEscape(_ text: Text) -> Unicode.Scalar? {
    guard let byte = next(text) else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let unit = parseUnit(text) else { return nil }
      guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
      guard text[position...].starts(with: "\\u".utf8) else { return nil }
      position += 2
      guard let trail = parseUnit(text), UTF16.isTrailSurrogate(trail) else { return nil }
      return Unicode.Scalar(0x1_0000 + (UInt32(unit & 0x3FF) << 10 | UInt32(trail & 0x3FF)))
    default: return nil
    }
  }

  /// Four hexadecimal digits.
  private mutating func parseUnit(_ text: Text) -> UInt16? {
    let digits = text[position...].prefix(4).compactMap(ASCII.hexValue)
    guard digits.count == 4 else { return nil }
    position += 4
    return digits.reduce(0) { $0 << 4 | UInt16($1) }
  }
}
