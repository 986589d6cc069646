public import Foundation

/// A live access token, without its text.
public struct AccessToken: Hashable, Sendable {
  /// What it belongs to: the client, the user, the door's attributes.
  public let grant: TokenGrant
  /// What it allows.
  public let scopes: [String]
  /// When it was issued.
  public let issuedAt: Date
  /// When it ends if it isn't used again.
  public let expiresAt: Date
}
