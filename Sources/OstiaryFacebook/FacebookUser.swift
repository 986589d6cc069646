public import OstiaryCore

/// A user whose token has been checked, and what Facebook told of them.
public struct FacebookUser: Sendable, Hashable {
  /// The user's identifier for this app.
  public let id: String
  /// The fields that Facebook returned of those that were asked for, and `profile_pic`, the address of the user's picture.
  /// What the user has declined, or does not have, is not there.
  public let fields: [String: JSONValue]
  /// The token.
  public let token: FacebookToken
}

extension FacebookUser: CustomStringConvertible, CustomReflectable {
  /// Which fields there are; nothing that is about a person.
  public var description: String { "FacebookUser(\(fields.keys.sorted().joined(separator: ", ")))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
