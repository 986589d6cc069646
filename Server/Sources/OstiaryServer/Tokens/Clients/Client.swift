public import Foundation
public import OstiaryCore

/// A program that may ask for tokens: an OAuth client, or a connected app.
public struct Client: Hashable, Sendable, Identifiable {
  /// The `client_id`: no secret.
  public let id: String
  /// The name to show.
  public let name: String
  /// Whether it has a secret and must present it.
  public let isConfidential: Bool
  /// Where browsers may be sent back to; compared byte for byte.
  public let redirectURIs: [String]
  /// The scopes it may ask for.
  public let scopes: [String]
  /// What its tokens are like.
  public let policy: TokenPolicy
  /// What doors want to know.
  public let attributes: [String: JSONValue]
  /// Whether it is kept out.
  public let isDisabled: Bool
  /// When it was registered.
  public let createdAt: Date
}
