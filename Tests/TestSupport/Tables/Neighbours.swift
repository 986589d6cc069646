package import Foundation
package import OstiaryCore

/// What stands beside a documented answer and is not it: other types, empty members, other frames, other encodings.
package enum Neighbours {
  /// Values that are none of a text with a meaning.
  package static let values: [JSONValue] = [
    .null, .string(""), .string(" "), .integer(0), .integer(5), .number(1.5), .bool(true), .bool(false), .array([]),
    .object([:]),
  ]

  /// The text in other frames: none, in a list, cut off, in a page, in UTF-16.
  package static func frames(of body: String) -> [Data] {
    let texts = [
      "", "null", "0", "\"\"", "[\(body)]", "\"\(body.replacing("\"", with: "\\\""))\"", String(body.dropLast()),
      "<html><body>\(body)</body></html>",
    ]
    return texts.map { Data($0.utf8) } + [body.data(using: .utf16) ?? Data()]
  }

  /// A JSON text with another value in a place, or with none.
  /// - Parameter path: the names of the objects on the way, and of the member.
  package static func changes(
    of body: String, at path: [String], to values: [JSONValue] = Neighbours.values
  ) throws -> [Data] {
    guard let whole = JSONValue(json: Data(body.utf8)) else { return [] }
    return try (values.map { Optional($0) } + [nil]).map {
      try JSONEncoder().encode(replacing(whole, path[...], with: $0))
    }
  }

  private static func replacing(_ value: JSONValue, _ path: ArraySlice<String>, with other: JSONValue?) -> JSONValue {
    guard let name = path.first, var members = value.object else { return other ?? .null }
    if path.count == 1 {
      members[name] = other
    } else {
      members[name] = replacing(members[name] ?? .null, path.dropFirst(), with: other)
    }
    return .object(members)
  }
}
