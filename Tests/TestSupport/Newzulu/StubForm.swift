import Foundation
import OstiaryCore

/// Reads PHP's bracketed forms, without the code under test.
enum StubForm {
  static func parse(_ body: String) -> [String: JSONValue] {
    var root = JSONValue.object([:])
    for pair in body.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.replacing("+", with: " ").removingPercentEncoding ?? "?" }
      let name = halves[0]
      let value = JSONValue.string(halves.count > 1 ? halves[1] : "")
      let path = name.replacing("]", with: "").split(separator: "[", omittingEmptySubsequences: false).map(String.init)
      root = put(value, path[...], into: root)
    }
    return root.object ?? [:]
  }

  private static func put(_ value: JSONValue, _ path: ArraySlice<String>, into parent: JSONValue?) -> JSONValue {
    guard let name = path.first else { return value }
    var members = parent?.object ?? [:]
    let key = name.isEmpty ? String(members.count) : name
    members[key] = put(value, path.dropFirst(), into: members[key])
    return .object(members)
  }
}

extension JSONValue {
  /// A string or number as text.
  var text: String? {
    switch self {
    case .string(let value): value
    case .integer(let value): String(value)
    default: nil
    }
  }

  /// A list, or what a form has for one.
  var list: [JSONValue] {
    array ?? object?.sorted { (Int($0.key) ?? 0) < (Int($1.key) ?? 0) }.map(\.value) ?? []
  }

  /// A boolean as JSON or a form spells it.
  var truth: Bool { self == .bool(true) || self == .string("true") || self == .string("1") || self == .integer(1) }
}
