import Foundation
import OstiaryCore

/// The named arguments of a call. In both transports, ids and numbers may be numbers or text, and switches may be true
/// and false or 1 and 0. An unreadable argument is a failure that names it.
struct NewzuluArguments: Sendable {
  let values: [String: JSONValue]
  /// The name of the argument that contains these, for the names of nested ones: `fileData[type]`.
  private let prefix: String?

  init(_ values: [String: JSONValue], of prefix: String? = nil) {
    self.values = values
    self.prefix = prefix
  }

  /// The argument as a failure names it.
  func title(_ name: String) -> String { prefix.map { "\($0)[\(name)]" } ?? name }

  func invalid(_ name: String) -> NewzuluFailure { .invalidArgument(title(name)) }

  /// The value of an argument; nil for null.
  subscript(name: String) -> JSONValue? {
    guard let value = values[name], value != .null else { return nil }
    return value
  }

  /// A text, or a number as text.
  func text(_ name: String, most limit: Int = 1024) throws(NewzuluFailure) -> String? {
    let text: String
    switch self[name] {
    case nil: return nil
    case .string(let value)?: text = value
    case .integer(let value)?: text = String(value)
    default: throw invalid(name)
    }
    guard text.utf8.count <= limit else { throw invalid(name) }
    return text
  }

  /// A text that the database is given: PostgreSQL takes no NUL character for a part of one.
  func storableText(_ name: String, most limit: Int = 1024) throws(NewzuluFailure) -> String? {
    let text = try text(name, most: limit)
    guard text?.utf8.contains(0) != true else { throw invalid(name) }
    return text
  }

  /// A text that must be present and not empty.
  func requiredText(_ name: String, most limit: Int = 1024) throws(NewzuluFailure) -> String {
    guard let text = try text(name, most: limit), !text.isEmpty else { throw invalid(name) }
    return text
  }

  /// A number, or a text that contains one.
  func integer(_ name: String) throws(NewzuluFailure) -> Int? {
    switch self[name] {
    case nil: return nil
    case .integer(let value)?:
      if let value = Int(exactly: value) { return value }
    case .string(let text)?:
      if text.utf8.count <= 20, let value = Int(text) { return value }
    default: break
    }
    throw invalid(name)
  }

  /// A switch: true, 1, "true" and "1", or false, 0, "false", "0" and "".
  func flag(_ name: String, default fallback: Bool) throws(NewzuluFailure) -> Bool {
    switch self[name] {
    case nil: return fallback
    case .bool(let value)?: return value
    case .integer(1)?: return true
    case .integer(0)?: return false
    case .string(let text)?:
      switch text.lowercasedASCII {
      case "true", "1": return true
      case "false", "0", "": return false
      default: break
      }
    default: break
    }
    throw invalid(name)
  }

  /// An argument's members. An empty list of members in a form looks like an empty text or list.
  func members(_ name: String) throws(NewzuluFailure) -> NewzuluArguments? {
    switch self[name] {
    case nil: return nil
    case .object(let members)?: return NewzuluArguments(members, of: title(name))
    case .array(let elements)? where elements.isEmpty: return NewzuluArguments([:], of: title(name))
    case .string("")?: return NewzuluArguments([:], of: title(name))
    default: throw invalid(name)
    }
  }

  /// A list, or its form in a form body: members with numbers as names.
  func list(_ name: String) throws(NewzuluFailure) -> [JSONValue]? {
    switch self[name] {
    case nil: return nil
    case .array(let elements)?: return elements
    case .string("")?: return []
    case .object(let members)?:
      let numbered = members.compactMap { key, value in Int(key).map { (number: $0, value: value) } }
      guard numbered.count == members.count else { throw invalid(name) }
      return numbered.sorted { $0.number < $1.number }.map(\.value)
    default: throw invalid(name)
    }
  }
}

extension NewzuluArguments: CustomStringConvertible, CustomReflectable {
  /// The number of arguments; never their content, since passwords and tokens are among them.
  var description: String { "\(values.count) arguments" }
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
