internal import Foundation
internal import OstiaryCore

// The server is written in PHP: the same thing may come as a number, a string or a boolean.
extension JSONValue {
  /// The text of a string or number, without white space around it; `nil` when there is none.
  var looseText: String? {
    switch self {
    case .string(let value):
      let text = value.trimmingCharacters(in: .whitespacesAndNewlines)
      return text.isEmpty ? nil : text
    case .integer(let value): return String(value)
    case .number(let value): return Int64(exactly: value).map(String.init)
    default: return nil
    }
  }

  /// A whole number, or a string that is one.
  var looseInteger: Int64? { looseText.flatMap { Int64($0) } }

  /// What PHP would take for `false`.
  var isFalsy: Bool {
    switch self {
    case .null: true
    case .bool(let value): !value
    case .integer(let value): value == 0
    case .number(let value): value == 0
    case .string(let value): value.isEmpty || value == "0" || value.lowercased() == "false"
    case .array(let values): values.isEmpty
    case .object(let members): members.isEmpty
    }
  }
}
