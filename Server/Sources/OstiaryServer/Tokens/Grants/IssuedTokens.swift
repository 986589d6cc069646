public import Foundation
public import OstiaryCore

/// Tokens that have just been issued, in the only copy there is.
public struct IssuedTokens: Sendable {
  /// The access token.
  public let accessToken: Secret
  /// The refresh token to use from now on; nil where the client keeps the one it has, or gets none.
  public let refreshToken: Secret?
  /// What the access token allows: the grant's scopes, or those of them that were asked for.
  public let scopes: [String]
  /// What the tokens belong to.
  public let grant: TokenGrant
  /// When the access token was issued.
  public let issuedAt: Date
  /// When it ends if it isn't used again.
  public let expiresAt: Date
  /// Whether this is what a use of the same refresh token has been answered with before.
  public let isReplay: Bool
}
