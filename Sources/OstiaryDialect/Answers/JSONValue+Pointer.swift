package import OstiaryCore

extension JSONValue {
  /// The value at a place (RFC 6901 §4); `nil` where there is none. Of two members of one name the first counts.
  package func value(at pointer: DialectPointer) -> JSONValue? {
    guard pointer.fault == nil else { return nil }
    var value = self
    for part in pointer.parts {
      switch value {
      case .object(let members):
        guard let member = members[part], Self.hasMember(members, part) else { return nil }
        value = member
      case .array(let elements):
        guard let index = Self.index(part), index < elements.count else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }

  /// Whether a name is a member's by its bytes: a dictionary's keys are also equal where they only look alike.
  private static func hasMember(_ members: [String: JSONValue], _ name: String) -> Bool {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return true }
    return members.keys.contains { $0.hasSameBytes(as: name) }
  }

  /// A number without a leading zero (RFC 6901 §4).
  private static func index(_ part: String) -> Int? {
    let digits = part.utf8
    guard (1...9).contains(digits.count), digits.allSatisfy(ASCII.isDigit), digits.count == 1 || digits.first != 0x30
    else { return nil }
    return Int(part)
  }

  /// The text of a string or a number; `nil` for `null`, booleans, arrays and objects. A whole number has no fraction.
  package var scalarText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
    case .null, .bool, .array, .object: nil
    }
  }

  /// Whether it is a number that is not whole.
  var hasFraction: Bool { if case .number(let number) = self { Int64(exactly: number) == nil } else { false } }

  /// A number, or a text that is one.
  package var numberOrText: Double? {
    switch self {
    case .integer(let number): return Double(number)
    case .number(let number): return number
    case .string(let text):
      let bytes = ASCII.trimmed(Array(text.utf8))
      // `Double` also reads hexadecimal digits, infinities and what is no number.
      guard (1...32).contains(bytes.count),
        bytes.allSatisfy({ ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }),
        let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite
      else { return nil }
      return number
    default: return nil
    }
  }

  /// Whether two scalars are of one type and the same. Texts are compared by their bytes.
  func isSameScalar(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.integer, .integer), (.integer, .number), (.number, .integer), (.number, .number):
      if case .integer(let left) = self, case .integer(let right) = other {
        left == right
      } else {
        double == other.double
      }
    default: false
    }
  }
}
