internal import Foundation

/// Reads the small flat XML that Salesforce answers with where JSON was not asked for: elements with nothing in them but
/// text. What is not that is left out, and nothing in it makes anything be fetched or expanded.
enum FlatXML {
  struct Leaf: Sendable, Hashable {
    let name: String
    let text: String
  }

  /// The elements without elements in them, in their order, by their names without prefixes.
  static func leaves(of text: String) -> [Leaf] {
    let bytes = Array(text.utf8)
    var leaves: [Leaf] = []
    var position = 0
    // The last start tag, and where its content begins.
    var open: (name: String, content: Int)?
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      if bytes[start...].starts(with: "<!--".utf8) {
        guard let end = range(of: "-->", in: bytes, from: start + 4) else { break }
        position = end
        open = nil
        continue
      }
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else { break }
      let tag = bytes[(start + 1)..<end]
      position = end + 1
      switch tag.first {
      case nil, UInt8(ascii: "?"), UInt8(ascii: "!"): open = nil
      case UInt8(ascii: "/"):
        if let begun = open, name(of: tag.dropFirst()) == begun.name,
          let text = unescape(bytes[begun.content..<start])
        {
          leaves.append(Leaf(name: begun.name, text: text))
        }
        open = nil
      default:
        open = tag.last == UInt8(ascii: "/") ? nil : (name(of: tag), end + 1)
      }
    }
    return leaves
  }

  private static func range(of mark: String, in bytes: [UInt8], from start: Int) -> Int? {
    let mark = Array(mark.utf8)
    guard start + mark.count <= bytes.count else { return nil }
    return (start...(bytes.count - mark.count)).first { bytes[$0...].starts(with: mark) }.map { $0 + mark.count }
  }

  private static func name(of tag: ArraySlice<UInt8>) -> String {
    let name = tag.prefix { $0 > 0x20 }
    return String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
  }

  /// Undoes the five named and the numeric references; `nil` when there is one of another kind.
  private static func unescape(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    var text = ""
    var rest = bytes
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += String(decoding: rest[..<mark], as: UTF8.self)
      guard let end = rest[mark...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let character = character(String(decoding: rest[(mark + 1)..<end], as: UTF8.self))
      else { return nil }
      text.unicodeScalars.append(character)
      rest = rest[(end + 1)...]
    }
    return text + String(decoding: rest, as: UTF8.self)
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let digits = name.dropFirst()
      let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return number.flatMap { Unicode.Scalar($0) }
    }
  }
}
