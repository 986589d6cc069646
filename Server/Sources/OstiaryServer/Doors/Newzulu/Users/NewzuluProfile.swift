import Foundation
import OstiaryCore

/// The user struct of the vendor's calls, and the part of it that users may set themselves.
enum NewzuluProfile {
  private static let names = ["firstname", "lastname"]
  private static let texts = ["avatar", "cellphone", "phone", "birthdate", "city", "country", "language"]
  private static let longestText = 512
  /// In bytes of JSON.
  private static let longestMeta = 4096

  /// The attributes that a new user may set. Other values are dropped: users can't choose their own permissions.
  static func attributes(from data: NewzuluArguments) throws -> [String: JSONValue] {
    var attributes: [String: JSONValue] = [:]
    for name in names + texts {
      if let text = try data.text(name, most: longestText), !text.isEmpty { attributes[name] = .string(text) }
    }
    if let meta = try data.members("meta"), !meta.values.isEmpty {
      guard try AttributesColumn.encode(meta.values).utf8.count <= longestMeta else { throw data.invalid("meta") }
      attributes["meta"] = .object(meta.values)
    }
    return attributes
  }

  /// The struct, without the id and the tenant.
  static func members(
    of account: NewzuluUserRecord, missingNames: NewzuluDoorConfiguration.MissingNameStyle
  ) -> [String: JSONValue] {
    let user = account.user
    var members: [String: JSONValue] = [
      "user": .string(user.name),
      "created": .string(timestamp(user.createdAt)),
      "lastlogin": account.lastLogin.map { .string(timestamp($0)) } ?? .null,
      "active": user.isDisabled ? "0" : "1",
      "offset": "0",
      "meta": .object(user.attributes["meta"]?.object ?? [:]),
    ]
    for name in texts { members[name] = text(user.attributes[name]) ?? .null }
    for (name, value) in [
      ("email", user.email.map(JSONValue.string)), ("firstname", text(user.attributes["firstname"])),
      ("lastname", text(user.attributes["lastname"])),
    ] {
      if let value {
        members[name] = value
      } else if missingNames != .absent {
        members[name] = missingNames == .null ? .null : ""
      }
    }
    return members
  }

  /// A text attribute, or nil.
  static func text(_ value: JSONValue?) -> JSONValue? {
    value?.string.map(JSONValue.string)
  }

  /// `2026-11-21 07:00:00`, in UTC.
  static func timestamp(_ date: Date) -> String {
    date.formatted(
      .iso8601.year().month().day().dateSeparator(.dash).dateTimeSeparator(.space)
        .time(includingFractionalSeconds: false).timeSeparator(.colon))
  }
}
