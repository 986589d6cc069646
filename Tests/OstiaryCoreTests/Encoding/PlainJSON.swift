import OstiaryCore

/// JSON read in the plainest way, a function for each kind of value and a list for each object: what the parser is compared with.
struct PlainJSON {
  /// The value; `nil` for a text that is not exactly one.
  private(set) var value: JSONValue?
  /// The names of all members in their order.
  private(set) var names: [String] = []
  /// The names and numbers of elements that lead to the first name that an object has twice.
  private(set) var repeatedPlace: [String]?

  private let bytes: [UInt8]
  private var place = 0
  private var path: [String] = []

  init(_ bytes: [UInt8], maximumDepth: Int) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    value = read(maximumDepth)
    skipBlanks()
    if place < bytes.count { value = nil }
  }

  private var next: Character? { place < bytes.count ? Character(Unicode.Scalar(bytes[place])) : nil }

  private mutating func skipBlanks() {
    while let next, [" ", "\t", "\r", "\n"].contains(next) { place += 1 }
  }

  private mutating func take(_ character: Character) -> Bool {
    skipBlanks()
    guard next == character else { return false }
    place += 1
    return true
  }

  private mutating func read(_ depth: Int) -> JSONValue? {
    skipBlanks()
    switch next {
    case "[": return array(depth)
    case "{": return object(depth)
    case "\"": return string().map { .string($0) }
    case "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9": return number()
    default:
      for (word, value) in [("null", JSONValue.null), ("true", true), ("false", false)]
      where bytes[place...].starts(with: word.utf8) {
        place += word.utf8.count
        return value
      }
      return nil
    }
  }

  private mutating func array(_ depth: Int) -> JSONValue? {
    place += 1
    if take("]") { return .array([]) }
    guard depth > 0 else { return nil }
    var elements: [JSONValue] = []
    repeat {
      path.append(String(elements.count))
      guard let element = read(depth - 1) else { return nil }
      path.removeLast()
      elements.append(element)
    } while take(",")
    return take("]") ? .array(elements) : nil
  }

  private mutating func object(_ depth: Int) -> JSONValue? {
    place += 1
    if take("}") { return .object([:]) }
    guard depth > 0 else { return nil }
    var members: [(name: String, value: JSONValue)] = []
    repeat {
      skipBlanks()
      guard next == "\"", let name = string(), take(":") else { return nil }
      names.append(name)
      path.append(name)
      guard let value = read(depth - 1) else { return nil }
      if members.contains(where: { $0.name == name }) {
        repeatedPlace = repeatedPlace ?? path
      } else {
        members.append((name, value))
      }
      path.removeLast()
    } while take(",")
    return take("}") ? .object(Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }) : nil
  }

  private mutating func number() -> JSONValue? {
    let characters = bytes[place...].prefix { "+-.eE0123456789".utf8.contains($0) }
    let text = String(decoding: characters, as: UTF8.self)
    place += characters.count
    guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil else { return nil }
    if let number = Int64(text) { return .integer(number) }
    guard let number = Double(text), number.isFinite else { return nil }
    return Int64(exactly: number).map { .integer($0) } ?? .number(number)
  }

  private mutating func string() -> String? {
    place += 1
    var units: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""):
        let string = String(decoding: units, as: UTF8.self)
        return Array(string.utf8) == units ? string : nil
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        units += Array(String(Character(scalar)).utf8)
      case ..<0x20: return nil
      default: units.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let character = next else { return nil }
    place += 1
    let simple: [Character: Unicode.Scalar] = [
      "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]
    guard character == "u" else { return simple[character] }
    guard let first = unit() else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard bytes[place...].starts(with: "\\u".utf8) else { return nil }
    place += 2
    guard let second = unit(), UTF16.isLeadSurrogate(first), UTF16.isTrailSurrogate(second) else { return nil }
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }

  private mutating func unit() -> UInt16? {
    let digits = bytes[place...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ ASCII.hexValue($0) != nil }) else { return nil }
    place += 4
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
