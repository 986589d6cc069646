internal import Foundation

extension JSONValue {
  /// A value of a property list.
  /// - Parameters:
  ///   - path: the names of the dictionaries around it.
  ///   - depth: how deep it may be nested.
  /// - Throws: `SettingRefusal` for one that JSON has no value for.
  init(propertyList value: Any, at path: [String], depth: Int) throws {
    guard depth > 0 else { throw Self.problem(path, "is nested too deep") }
    switch value {
    case let text as String: self = .string(text)
    case _ where type(of: value) == Bool.self: self = .bool(value as? Bool ?? false)
    case let number as any BinaryInteger:
      guard let whole = Int64(exactly: number) else { throw Self.problem(path, "is too large a number") }
      self = .integer(whole)
    case let number as any BinaryFloatingPoint: self = Self.whole(orElse: Double(number))
    case let number as NSNumber: self = Self.whole(orElse: number)
    case let values as [Any]:
      self = .array(try values.map { try JSONValue(propertyList: $0, at: path, depth: depth - 1) })
    case let members as [String: Any]:
      var settings: [String: JSONValue] = [:]
      for (name, member) in members {
        settings[name] = try JSONValue(propertyList: member, at: path + [name], depth: depth - 1)
      }
      self = .object(settings)
    default: throw Self.problem(path, "is neither text, number, boolean, list nor dictionary")
    }
  }

  private static func problem(_ path: [String], _ text: String) -> SettingRefusal {
    SettingRefusal(
      problem: SettingProblem(path.joined(separator: "."), text, advice: "Write it as a text or a number."))
  }

  /// Foundation encodes booleans as characters.
  private static func whole(orElse number: NSNumber) -> JSONValue {
    switch String(cString: number.objCType) {
    case "c", "B": .bool(number.boolValue)
    case "f", "d": whole(orElse: number.doubleValue)
    default: .integer(number.int64Value)
    }
  }

  /// 7.0 and 7 are the same number, as in JSON.
  private static func whole(orElse number: Double) -> JSONValue {
    Int64(exactly: number).map { .integer($0) } ?? .number(number)
  }
}
