package import OstiaryCore

/// Writes JSON for headers and claims: names in order, nothing escaped that needn't be, no blanks.
///
/// A proof is made for each request, and Foundation's encoder takes longer for one than its signature does.
package enum CompactJSON {
  /// The text of an object, in UTF-8; `nil` if it has a number that JSON can't say.
  package static func object(_ members: [String: JSONValue]) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(128 + members.count * 64)
    return append(.object(members), to: &text) ? text : nil
  }

  /// - Returns: whether JSON can say it.
  private static func append(_ value: JSONValue, to text: inout [UInt8]) -> Bool {
    switch value {
    case .null: text += "null".utf8
    case .bool(let bool): text += (bool ? "true" : "false").utf8
    case .integer(let number): text += String(number).utf8
    case .number(let number):
      guard number.isFinite else { return false }
      text += String(number).utf8
    case .string(let string): append(string, to: &text)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        guard append(element, to: &text) else { return false }
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        append(member.key, to: &text)
        text.append(UInt8(ascii: ":"))
        guard append(member.value, to: &text) else { return false }
      }
      text.append(UInt8(ascii: "}"))
    }
    return true
  }

  /// Appends a text with its quotation marks.
  static func append(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    // Most texts need no escape.
    let isPlain = string.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
    if isPlain == true {
      text.append(contentsOf: string.utf8)
      text.append(UInt8(ascii: "\""))
      return
    }
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case ..<0x20:
        text += "\\u00".utf8
        text += [hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 0xF)]]
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }

  private static let hexadecimal = [UInt8]("0123456789abcdef".utf8)
}
