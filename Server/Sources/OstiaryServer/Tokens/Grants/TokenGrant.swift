public import Foundation
public import OstiaryCore

/// What somebody has let a client do, and what its tokens belong to: revoking it ends them all.
///
/// With rotation its refresh tokens follow each other; they are the grant's *family*.
public struct TokenGrant: Hashable, Sendable, Identifiable {
  /// Never given to another grant.
  public let id: Int64
  /// The client that has it.
  public let clientID: String
  /// The user who gave it; nil where a client acts for itself.
  public let user: User?
  /// What it allows.
  public let scopes: [String]
  /// What the door has put there.
  public let attributes: [String: JSONValue]
  /// Whether it has a refresh token.
  public let hasRefreshToken: Bool
  /// What its tokens begin with.
  public let prefixes: TokenPrefixes
  /// When it was given.
  public let createdAt: Date
  /// When its refresh token was last used, or issued.
  public let usedAt: Date
}
