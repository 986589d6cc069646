import Foundation
import OstiaryCore

/// Writes JSON (RFC 8259) in UTF-8, members sorted by name: the bytes of `JSONEncoder` with `.sortedKeys` and
/// `.withoutEscapingSlashes`, in a fraction of its time.
struct JSONText {
  private(set) var bytes: [UInt8] = []

  /// - Throws: `EncodingError` for numbers that JSON can't write.
  init(_ value: JSONValue) throws {
    bytes.reserveCapacity(1024)
    try write(value)
  }

  private mutating func write(_ value: JSONValue) throws {
    switch value {
    case .null: write(verbatim: "null")
    case .bool(let value): write(verbatim: value ? "true" : "false")
    case .integer(let value): bytes += "\(value)".utf8
    case .number(let value): try write(value)
    case .string(let value): write(value)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        try write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      var isFirst = true
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        write(name)
        bytes.append(UInt8(ascii: ":"))
        try write(member)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private mutating func write(verbatim text: StaticString) {
    text.withUTF8Buffer { bytes += $0 }
  }

  private mutating func write(_ number: Double) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, .init(codingPath: [], debugDescription: "JSON has no text for \(number)."))
    }
    let text = "\(number)"
    bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      // Most texts have nothing to escape, and are written as one piece.
      var start = 0
      for (index, byte) in utf8.enumerated()
      where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes += utf8[start..<index]
        start = index + 1
        escape(byte)
      }
      bytes += utf8[start...]
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      write(verbatim: byte < 0x10 ? "u000" : "u001")
      bytes.append(Array("0123456789abcdef".utf8)[Int(byte & 0xF)])
    }
  }
}
