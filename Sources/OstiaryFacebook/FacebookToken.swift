public import Foundation
public import OstiaryCore

/// What a user's login at Facebook gave the app.
public struct FacebookToken: Sendable, Hashable {
  /// The user's access token.
  public var accessToken: Secret
  /// Whose token it is, as whoever handed it over says; it is checked. `nil` when they don't say.
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
  public var description: String { "FacebookToken(until \(expiresAt.map { "\($0)" } ?? "nobody knows when"))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
