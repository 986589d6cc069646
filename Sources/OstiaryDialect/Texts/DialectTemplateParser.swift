internal import OstiaryCore

/// Reads the bytes of a template once.
struct DialectTemplateParser {
  private let bytes: [UInt8]
  private var position = 0
  /// What is wrong, as the end of a sentence.
  private(set) var fault: String?

  /// The most bytes of a template.
  static let maximumLength = 4096
  /// The most bytes of a value's name.
  static let maximumNameLength = 64

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The pieces; none where there is a fault.
  mutating func parse() -> [DialectTemplate.Piece] {
    guard bytes.count <= Self.maximumLength else { return refuse("is longer than 4 KiB") }
    var pieces: [DialectTemplate.Piece] = []
    var literal: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "}"):
        if position < bytes.count, bytes[position] == byte {
          position += 1
          literal.append(byte)
          continue
        }
        guard byte == UInt8(ascii: "{") else { return refuse("has a } that closes nothing; a brace is written }}") }
        guard let value = parseValue() else {
          return refuse("has a { that begins no value such as {token}; a brace is written {{")
        }
        if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
        literal = []
        pieces.append(.value(value))
      default:
        literal.append(byte)
      }
    }
    if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
    return pieces
  }

  private mutating func refuse(_ fault: String) -> [DialectTemplate.Piece] {
    self.fault = fault
    return []
  }

  /// What stands between braces, with the closing one.
  private mutating func parseValue() -> DialectTemplate.Value? {
    guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "}")) else { return nil }
    var inner = bytes[position..<end]
    position = end + 1
    var kind = DialectTemplate.Value.Kind.text
    if let colon = inner.firstIndex(of: UInt8(ascii: ":")) {
      let name = String(decoding: inner[(colon + 1)...], as: UTF8.self)
      guard let named = DialectTemplate.Value.Kind(rawValue: name), named != .text else { return nil }
      kind = named
      inner = inner[..<colon]
    }
    var isOptional = false
    if inner.last == UInt8(ascii: "?") {
      isOptional = true
      inner = inner.dropLast()
    }
    guard Self.isName(inner) else { return nil }
    return DialectTemplate.Value(String(decoding: inner, as: UTF8.self), isOptional: isOptional, as: kind)
  }

  /// Whether bytes are the name of a value: a letter, then letters, digits and underscores.
  static func isName(_ bytes: some Collection<UInt8>) -> Bool {
    guard let first = bytes.first, ASCII.isAlpha(first), bytes.count <= maximumNameLength else { return false }
    return bytes.allSatisfy { ASCII.isAlpha($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
  }
}
