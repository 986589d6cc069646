/// Finds where a text ceases to be JSON (RFC 8259), for the message about it. The decoders of the platform don't say it everywhere.
struct ConfigurationSyntax {
  /// What may come next.
  private enum Expected {
    case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd, nothing
  }

  private let bytes: [UInt8]
  private var position = 0
  private var expected = Expected.value
  /// The brackets that are open.
  private var open: [UInt8] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes }

  /// The line of the first token that is out of place; that of the end if something is missing there.
  static func line(ofErrorIn bytes: [UInt8]) -> Int {
    var syntax = ConfigurationSyntax(bytes)
    while syntax.skipBlanks(), syntax.takeToken() {}
    return syntax.bytes.prefix(syntax.position).count { $0 == UInt8(ascii: "\n") } + 1
  }

  /// - Returns: whether there is more.
  private mutating func skipBlanks() -> Bool {
    while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
    return position < bytes.count
  }

  private var takesValue: Bool { expected == .value || expected == .valueOrEnd }

  /// - Returns: whether the next token is where it may be.
  private mutating func takeToken() -> Bool {
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard takesValue else { return false }
      open.append(byte)
      expected = byte == UInt8(ascii: "{") ? .nameOrEnd : .valueOrEnd
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      // A bracket that closes has a number that is greater by two.
      guard open.last == byte - 2, [.nameOrEnd, .valueOrEnd, .commaOrEnd].contains(expected) else { return false }
      open.removeLast()
      endValue()
    case UInt8(ascii: ","):
      guard expected == .commaOrEnd else { return false }
      expected = open.last == UInt8(ascii: "{") ? .name : .value
    case UInt8(ascii: ":"):
      guard expected == .colon else { return false }
      expected = .value
    case UInt8(ascii: "\""):
      let isName = expected == .name || expected == .nameOrEnd
      guard isName || takesValue, let end = endOfString() else { return false }
      position = end
      if isName { expected = .colon } else { endValue() }
    default:
      let word = bytes[position...].prefix { Self.isWordByte($0) }
      guard takesValue, JSONWord.isValid(String(decoding: word, as: UTF8.self)) else { return false }
      position += word.count - 1
      endValue()
    }
    position += 1
    return true
  }

  private mutating func endValue() { expected = open.isEmpty ? .nothing : .commaOrEnd }

  /// The place of the quotation mark that ends the string which begins here; nil if its line ends first.
  private func endOfString() -> Int? {
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      guard bytes[end] >= 0x20 else { return nil }
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return end < bytes.count ? end : nil
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private enum JSONWord {
    static func isValid(_ text: String) -> Bool {
      ["true", "false", "null"].contains(text)
        || text.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/#) != nil
    }
  }
}
