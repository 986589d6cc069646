internal import Foundation

/// Reads one JSON text (RFC 8259) in time proportional to its length.
///
/// It keeps what is open on a stack of its own, so that no nesting can exhaust the thread's.
struct JSONParser {
  /// An array or object that has begun and not ended.
  private struct Open {
    let isObject: Bool
    var elements: [JSONValue] = []
    var members: [String: JSONValue] = [:]
    /// The name of the member that is read now.
    var name = ""

    var value: JSONValue { isObject ? .object(members) : .array(elements) }

    /// - Returns: whether it is there now: of several members of one name the first counts, as for `JSONDecoder`.
    mutating func add(_ value: JSONValue) -> Bool {
      guard isObject else {
        elements.append(value)
        return true
      }
      guard let first = members.updateValue(value, forKey: name) else { return true }
      members[name] = first
      return false
    }
  }

  private let bytes: [UInt8]
  private let maximumDepth: Int
  /// Up to where the text has been read: where a malformed one ends to be JSON.
  private(set) var position = 0
  /// Whether the text is nested too deep.
  private(set) var isTooDeep = false
  /// The first name that an object has twice, after the names of the members that the object is in.
  private(set) var repeated: [String]?
  /// Where that is: the same names, with the numbers of the elements between them.
  private(set) var repeatedPlace: [String]?
  /// The names of all members in their order in the text, which is also the order of a walk through the value.
  private(set) var names: [String] = []
  private let keepsNames: Bool
  private var open: [Open] = []

  /// - Parameters:
  ///   - maximumDepth: how deep arrays and objects may be nested.
  ///   - keepsNames: whether ``names`` are wanted.
  init(_ data: Data, maximumDepth: Int = JSONValue.maximumDepth, keepsNames: Bool = false) {
    bytes = Array(data)
    self.maximumDepth = maximumDepth
    self.keepsNames = keepsNames
  }

  /// The value, or `nil` when the text is not exactly one.
  mutating func parse() -> JSONValue? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while let begun = parseBeginning() {
      guard case .value(let value) = begun else { continue }
      switch finish(value) {
      case .next: continue
      case .whole(let value): return value
      case .malformed: return nil
      }
    }
    return nil
  }

  private enum Beginning {
    case opened
    case value(JSONValue)
  }

  /// Reads a scalar, an empty array or object, or the beginning of another; `nil` for what is neither.
  private mutating func parseBeginning() -> Beginning? {
    skipBlanks()
    switch current {
    case UInt8(ascii: "["):
      position += 1
      if take(UInt8(ascii: "]")) { return .value(.array([])) }
      return push(Open(isObject: false))
    case UInt8(ascii: "{"):
      position += 1
      if take(UInt8(ascii: "}")) { return .value(.object([:])) }
      guard let name = parseName() else { return nil }
      return push(Open(isObject: true, name: name))
    case UInt8(ascii: "\""): return parseString().map { .value(.string($0)) }
    case UInt8(ascii: "t"): return parse("true", .bool(true))
    case UInt8(ascii: "f"): return parse("false", .bool(false))
    case UInt8(ascii: "n"): return parse("null", .null)
    default: return parseNumber().map { .value($0) }
    }
  }

  private mutating func push(_ container: Open) -> Beginning? {
    guard open.count < maximumDepth else {
      isTooDeep = true
      return nil
    }
    open.append(container)
    return .opened
  }

  private enum Ending {
    /// Another value follows.
    case next
    case whole(JSONValue)
    case malformed
  }

  /// Puts a value where it belongs, and ends what ends with it.
  private mutating func finish(_ value: JSONValue) -> Ending {
    var value = value
    while let last = open.indices.last {
      if !open[last].add(value), repeated == nil {
        repeated = open.filter(\.isObject).map(\.name)
        repeatedPlace = open.map { $0.isObject ? $0.name : String($0.elements.count) }
      }
      if take(UInt8(ascii: ",")) {
        guard open[last].isObject else { return .next }
        guard let name = parseName() else { return .malformed }
        open[last].name = name
        return .next
      }
      guard take(open[last].isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return .malformed }
      value = open.removeLast().value
    }
    skipBlanks()
    return position == bytes.count ? .whole(value) : .malformed
  }

  // MARK: Bytes

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  /// Reads a byte, if it is next after blanks.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard current == byte else { return false }
    position += 1
    return true
  }

  private mutating func parse(_ literal: StaticString, _ value: JSONValue) -> Beginning? {
    let text = literal.withUTF8Buffer { Array($0) }
    guard bytes[position...].starts(with: text) else { return nil }
    position += text.count
    return .value(value)
  }

  // MARK: Numbers

  private mutating func parseNumber() -> JSONValue? {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    let first = current
    let whole = skipDigits()
    guard whole == 1 || (whole > 1 && first != UInt8(ascii: "0")) else { return nil }
    var isInteger = true
    if current == UInt8(ascii: ".") {
      position += 1
      isInteger = false
      guard skipDigits() > 0 else { return nil }
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      position += 1
      isInteger = false
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() > 0 else { return nil }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let number = Int64(text) { return .integer(number) }
    guard let number = Double(text), number.isFinite else { return nil }
    // 7.0 and 7 are the same number, which is an integer here, so that a value comes back from a store as it was.
    return Int64(exactly: number).map { .integer($0) } ?? .number(number)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = current, ASCII.isDigit(byte) { position += 1 }
    return position - start
  }

  // MARK: Strings

  /// A member's name and the colon after it.
  private mutating func parseName() -> String? {
    skipBlanks()
    guard current == UInt8(ascii: "\""), let name = parseString(), take(UInt8(ascii: ":")) else { return nil }
    if keepsNames { names.append(name) }
    return name
  }

  private mutating func parseString() -> String? {
    position += 1
    let start = position
    var seen: UInt8 = 0
    // Most of a text is inside of strings.
    position = bytes.withUnsafeBufferPointer { bytes in
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\"), bytes[end] >= 0x20 {
        seen |= bytes[end]
        end += 1
      }
      return end
    }
    let isASCII = seen < 0x80
    if isASCII, current == UInt8(ascii: "\"") {
      defer { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    var text = bytes[start..<position]
    while let byte = current {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        let string = String(decoding: text, as: UTF8.self)
        // Decoding repairs what is not UTF-8; then it is not what was sent.
        return string.utf8.elementsEqual(text) ? string : nil
      case UInt8(ascii: "\\"):
        guard let scalar = parseEscape(), let encoded = UTF8.encode(scalar) else { return nil }
        text.append(contentsOf: encoded)
      default:
        guard byte >= 0x20 else { return nil }
        text.append(byte)
      }
    }
    return nil
  }

  /// What stands for a character after a backslash.
  private mutating func parseEscape() -> Unicode.Scalar? {
    guard let byte = current else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let unit = parseUnit() else { return nil }
      guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
      guard bytes[position...].starts(with: "\\u".utf8) else { return nil }
      position += 2
      guard let trail = parseUnit(), UTF16.isTrailSurrogate(trail) else { return nil }
      return Unicode.Scalar(0x1_0000 + (UInt32(unit & 0x3FF) << 10 | UInt32(trail & 0x3FF)))
    default: return nil
    }
  }

  /// Four hexadecimal digits.
  private mutating func parseUnit() -> UInt16? {
    let digits = bytes[position...].prefix(4).compactMap(ASCII.hexValue)
    guard digits.count == 4 else { return nil }
    position += 4
    return digits.reduce(0) { $0 << 4 | UInt16($1) }
  }
}
