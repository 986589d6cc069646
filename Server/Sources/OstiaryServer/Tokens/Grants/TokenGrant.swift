package import Foundation
package import OstiaryCore

/// What somebody has let a client do, and what its tokens belong to: revoking it ends them all.
///
/// With rotation its refresh tokens follow each other; they are the grant's *family*.
package struct TokenGrant: Hashable, Sendable, Identifiable {
  /// Never given to another grant.
  package let id: Int64
  /// The client that has it.
  package let clientID: String
  /// The user who gave it; nil where a client acts for itself.
  package let user: User?
  /// What it allows.
  package let scopes: [String]
  /// What the door has put there.
  package let attributes: [String: JSONValue]
  /// Whether it has a refresh token.
  package let hasRefreshToken: Bool
  /// What its tokens begin with.
  package let prefixes: TokenPrefixes
  /// When it was given.
  package let createdAt: Date
  /// When its refresh token was last used, or issued.
  package let usedAt: Date
}

/// A live access token, without its text.
package struct AccessToken: Hashable, Sendable {
  /// What it belongs to: the client, the user, the door's attributes.
  package let grant: TokenGrant
  /// What it allows.
  package let scopes: [String]
  /// When it was issued.
  package let issuedAt: Date
  /// When it ends if it isn't used again.
  package let expiresAt: Date
}

/// Tokens that have just been issued, in the only copy there is.
package struct IssuedTokens: Sendable {
  /// The access token.
  package let accessToken: Secret
  /// The refresh token to use from now on; nil where the client keeps the one it has, or gets none.
  package let refreshToken: Secret?
  /// What the access token allows: the grant's scopes, or those of them that were asked for.
  package let scopes: [String]
  /// What the tokens belong to.
  package let grant: TokenGrant
  /// When the access token was issued.
  package let issuedAt: Date
  /// When it ends if it isn't used again.
  package let expiresAt: Date
  /// Whether this is what a use of the same refresh token has been answered with before.
  package let isReplay: Bool
}
