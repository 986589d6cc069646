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
