import Foundation
import OstiaryCore

/// A value in a query or in a record, as SOQL compares them.
enum SOQLValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case time(Date)

  enum Comparison: Sendable { case less, same, greater }

  var isNull: Bool { self == .null }

  /// How the values stand to each other; nil where they can't be compared. Texts are compared without regard to case, and
  /// ids in both of their forms.
  func compared(to other: SOQLValue) -> Comparison? {
    switch (self, other) {
    case (.null, .null): .same
    case (.bool(let one), .bool(let other)): Self.compare(one ? 1 : 0, other ? 1 : 0)
    case (.number(let one), .number(let other)): Self.compare(one, other)
    case (.time(let one), .time(let other)): Self.compare(one, other)
    case (.text(let one), .text(let other)):
      if let id = SalesforceID(one), id == SalesforceID(other) {
        .same
      } else {
        Self.compare(one.lowercased(), other.lowercased())
      }
    default: nil
    }
  }

  private static func compare<Value: Comparable>(_ one: Value, _ other: Value) -> Comparison {
    one < other ? .less : one == other ? .same : .greater
  }

  /// Whether a text has the form of `pattern`, in which `%` is any text and `_` any character, `\` before them taking that
  /// away. In time proportional to the product of their lengths, whatever the pattern.
  func isLike(_ pattern: String) -> Bool {
    guard case .text(let text) = self else { return false }
    let (characters, parts) = (Array(text.lowercased()), Self.parts(of: pattern))
    // Whether the parts so far match the first n characters.
    var reached = [true] + Array(repeating: false, count: characters.count)
    for part in parts {
      switch part {
      case .anything:
        guard let first = reached.firstIndex(of: true) else { return false }
        for index in first..<reached.count { reached[index] = true }
      case .one, .literal:
        for index in stride(from: characters.count, to: 0, by: -1) {
          reached[index] = reached[index - 1] && part.matches(characters[index - 1])
        }
        reached[0] = false
      }
    }
    return reached[characters.count]
  }

  private enum Part {
    case anything, one
    case literal(Character)

    func matches(_ character: Character) -> Bool {
      if case .literal(let own) = self { own == character } else { true }
    }
  }

  private static func parts(of pattern: String) -> [Part] {
    var parts: [Part] = []
    var rest = Substring(pattern.lowercased())
    while let character = rest.popFirst() {
      switch character {
      case "%": parts.append(.anything)
      case "_": parts.append(.one)
      case "\\": parts.append(.literal(rest.popFirst() ?? "\\"))
      default: parts.append(.literal(character))
      }
    }
    return parts
  }
}

extension SOQLValue {
  /// A field's value, in a record.
  /// - Parameter isTime: Whether the text says a time.
  init(_ value: JSONValue?, isTime: Bool) {
    switch value {
    case .bool(let flag): self = .bool(flag)
    case .integer(let number): self = .number(Double(number))
    case .number(let number): self = .number(number)
    case .string(let text):
      self = isTime ? SalesforceTime.date(text).map(SOQLValue.time) ?? .text(text) : .text(text)
    default: self = .null
    }
  }
}
