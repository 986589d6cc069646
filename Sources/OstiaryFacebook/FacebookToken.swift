public import Foundation
public import OstiaryCore

/// What a user's login at Facebook gave the app.
public struct FacebookToken: Sendable, Hashable {
  /// The user's access token.
  public var accessToken: Secret
  /// The user whose token it is, as the caller says; it is checked. `nil` when the caller does not say.
  public var userID: String?
  /// When it ends; `nil` when that isn't known.
  public var expiresAt: Date?

  /// Makes a token from what another library has got.
  public init(_ accessToken: Secret, userID: String? = nil, expiresAt: Date? = nil) {
    self.accessToken = accessToken
    self.userID = userID
    self.expiresAt = expiresAt
  }
}

extension FacebookToken: CustomStringConvertible, CustomReflectable {
  /// Until when; never the token.
  public var description: String { "FacebookToken(until \(expiresAt.map { "\($0)" } ?? "unknown"))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

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
