import OstiaryCore

/// Reads a form whose names have brackets, as PHP does: `a[b]=1&a[c][]=2` is `{"a":{"b":"1","c":["2"]}}`.
enum NewzuluForm {
  /// The most fields of one form.
  static let mostFields = 1000
  /// The deepest nesting of brackets.
  static let deepest = 4

  /// The arguments; nil if a name is malformed or too deep.
  static func arguments(_ fields: FormFields) -> [String: JSONValue]? {
    var arguments: [String: JSONValue] = [:]
    for field in fields.all {
      guard let path = path(of: field.name), let name = path.first else { return nil }
      arguments[name] = inserting(.string(field.value), at: path.dropFirst(), into: arguments[name])
    }
    return arguments
  }

  /// `a[b][]` as `a`, `b` and an empty text.
  private static func path(of name: String) -> [String]? {
    let first = name.bytePrefix(before: "[")
    var path = [String(first)]
    var rest = name.droppingBytes(first.utf8.count)
    while !rest.isEmpty {
      guard rest.hasBytePrefix("["), let (key, after) = rest.droppingBytes(1).byteHalves(at: "]"),
        path.count <= deepest, !key.containsByte("[")
      else { return nil }
      path.append(String(key))
      rest = after
    }
    return path[0].isEmpty ? nil : path
  }

  /// As in PHP a later value replaces an earlier one, and a value that is not a list becomes one.
  private static func inserting(
    _ value: JSONValue, at path: ArraySlice<String>, into old: JSONValue?
  ) -> JSONValue {
    guard let key = path.first else { return value }
    if key.isEmpty, var elements = old == nil ? [] : old?.array {
      elements.append(inserting(value, at: path.dropFirst(), into: nil))
      return .array(elements)
    }
    var members = old?.object ?? [:]
    if let elements = old?.array {
      for (index, element) in elements.enumerated() { members[String(index)] = element }
    }
    let name = key.isEmpty ? String((members.keys.compactMap { Int($0) }.max() ?? -1) &+ 1) : key
    members[name] = inserting(value, at: path.dropFirst(), into: members[name])
    return .object(members)
  }
}
