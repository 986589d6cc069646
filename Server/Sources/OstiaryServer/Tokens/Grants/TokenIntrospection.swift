public import Foundation

/// What is known of a live token (RFC 7662 §2.2). Of any other nothing is.
public struct TokenIntrospection: Hashable, Sendable {
  /// Which kind of token it is.
  public let kind: TokenKind
  /// What it belongs to.
  public let grant: TokenGrant
  /// What it allows.
  public let scopes: [String]
  /// When it was issued; of a refresh token, when the grant was given.
  public let issuedAt: Date
  /// When it ends if it isn't used again; nil for never.
  public let expiresAt: Date?
}
