public import OstiaryCore

/// What a user has filled in, as the app gets it.
public enum FieldValue: Sendable, Hashable {
  /// Text, a choice's option, or a day (`2026-11-22`). Empty when nothing was filled in.
  case text(String)
  /// The value of a secure field. Empty when nothing was filled in.
  case secret(Secret)
  /// A number.
  case number(Double)
  /// A whole number that a `Double` would round: beyond 2^53.
  case integer(Int64)
  /// Whether a toggle is on.
  case toggle(Bool)

  /// Whether nothing was filled in. A toggle is always filled in.
  public var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .secret(let secret): secret.isEmpty
    case .number, .integer, .toggle: false
    }
  }

  /// The text of a value that is text.
  public var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The secret of a value that is one.
  public var secret: Secret? { if case .secret(let value) = self { value } else { nil } }
  /// The number of a value that is one; that of ``integer(_:)`` is rounded.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    case .text, .secret, .toggle: nil
    }
  }
  /// The state of a toggle.
  public var toggle: Bool? { if case .toggle(let value) = self { value } else { nil } }

  /// The value as a user property, or `nil` for a secret or nothing.
  public var property: JSONValue? {
    switch self {
    case .text(let text): text.isEmpty ? nil : .string(text)
    case .secret: nil
    case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .number(number)
    case .integer(let number): .integer(number)
    case .toggle(let isOn): .bool(isOn)
    }
  }
}

extension FieldValue {
  /// Whether two fields say the same, though one of them may be secure.
  func isSame(as other: FieldValue) -> Bool { self == other || written == other.written }

  private var written: String {
    switch self {
    case .text(let text): text
    case .secret(let secret): secret.reveal()
    case .number(let number): NumberStyle.plain(number)
    case .integer(let number): String(number)
    case .toggle(let isOn): isOn ? "true" : "false"
    }
  }
}

extension FieldValue: CustomStringConvertible, CustomReflectable {
  /// What kind of value it is, and whether it is empty. What a user has filled in is not shown.
  public var description: String {
    switch self {
    case .text: "FieldValue(text\(isEmpty ? ", empty" : ""))"
    case .secret: "FieldValue(secret\(isEmpty ? ", empty" : ""))"
    case .number, .integer: "FieldValue(number)"
    case .toggle(let isOn): "FieldValue(\(isOn))"
    }
  }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .enum) }
}
