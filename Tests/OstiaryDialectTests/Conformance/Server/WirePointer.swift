import OstiaryCore

/// A place in a JSON value (RFC 6901).
struct WirePointer: Sendable {
  let parts: [String]

  init(_ text: String) {
    parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }
  }

  /// What stands there.
  func value(in whole: JSONValue) -> JSONValue? {
    parts.reduce(Optional(whole)) { value, part in
      if let elements = value?.array { return Int(part).flatMap { elements.indices.contains($0) ? elements[$0] : nil } }
      return value?[part]
    }
  }

  /// The value with another one at this place. What is on the way and is not there is made.
  func setting(_ new: JSONValue, in whole: JSONValue?) -> JSONValue { Self.setting(new, parts[...], in: whole) }

  private static func setting(_ new: JSONValue, _ path: ArraySlice<String>, in value: JSONValue?) -> JSONValue {
    guard let part = path.first else { return new }
    let rest = path.dropFirst()
    if case .array(var elements)? = value, let index = Int(part) {
      if elements.indices.contains(index) {
        elements[index] = setting(new, rest, in: elements[index])
      } else {
        elements.append(setting(new, rest, in: nil))
      }
      return .array(elements)
    }
    guard let members = value?.object else {
      return Int(part) == 0 ? .array([setting(new, rest, in: nil)]) : .object([part: setting(new, rest, in: nil)])
    }
    return .object(members.merging([part: setting(new, rest, in: members[part])]) { $1 })
  }
}

extension JSONValue {
  /// The same value in the type that a published example has there.
  func spelled(like example: JSONValue?) -> JSONValue {
    switch (example, self) {
    case (.integer?, .string(let text)): Int64(text).map { JSONValue.integer($0) } ?? self
    case (.string?, .integer(let number)): .string(String(number))
    default: self
    }
  }

  /// A text or a whole number as text.
  var wireText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .bool(let value): String(value)
    default: nil
    }
  }
}
