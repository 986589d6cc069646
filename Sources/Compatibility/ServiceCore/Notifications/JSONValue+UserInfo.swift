internal import Foundation
internal import Ostiary

extension JSONValue {
  /// What of a remote notification's dictionary JSON can say. The system has made the dictionary of JSON, so that is all.
  /// - Parameter depth: how far it is looked into; what lies deeper counts as missing.
  init?(userInfo value: Any, depth: Int = 8) {
    guard depth > 0 else { return nil }
    switch value {
    case let text as String: self = .string(text)
    case let members as [AnyHashable: Any]: self = .object(Self.members(ofUserInfo: members, depth: depth))
    case let values as [Any]: self = .array(values.compactMap { JSONValue(userInfo: $0, depth: depth - 1) })
    case let flag as Bool: self = .bool(flag)
    case let number as Int: self = .integer(Int64(number))
    default: return nil
    }
  }

  /// The members of a remote notification's dictionary.
  static func members(ofUserInfo userInfo: [AnyHashable: Any], depth: Int = 8) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    for (name, value) in userInfo {
      if let name = name as? String, let value = JSONValue(userInfo: value, depth: depth - 1) { members[name] = value }
    }
    return members
  }
}
