package import Foundation
package import OstiaryCore

/// A user's permission for a client, to which tokens belong: revoking it ends them all.
///
/// With rotation its refresh tokens replace each other; together they are the grant's *family*.
package struct TokenGrant: Hashable, Sendable, Identifiable {
  /// Never reused for another grant.
  package let id: Int64
  /// The client that has it.
  package let clientID: String
  /// The user who gave it; nil for a client that acts for itself.
  package let user: User?
  /// Its scopes.
  package let scopes: [String]
  /// The door's values.
  package let attributes: [String: JSONValue]
  /// Whether it has a refresh token.
  package let hasRefreshToken: Bool
  /// The prefixes of its tokens.
  package let prefixes: TokenPrefixes
  /// When it was given.
  package let createdAt: Date
  /// When its refresh token was last used, or issued.
  package let usedAt: Date
}

/// A live access token, without its text.
package struct AccessToken: Hashable, Sendable {
  /// Its grant: the client, the user, the door's attributes.
  package let grant: TokenGrant
  /// Its scopes.
  package let scopes: [String]
  /// When it was issued.
  package let issuedAt: Date
  /// When it ends if it isn't used again.
  package let expiresAt: Date
}

/// Tokens that have just been issued; this is the only copy.
package struct IssuedTokens: Sendable {
  /// The access token.
  package let accessToken: Secret
  /// The refresh token to use from now on; nil if the client keeps its old one, or gets none.
  package let refreshToken: Secret?
  /// The access token's scopes: the grant's, or those of them that were asked for.
  package let scopes: [String]
  /// The tokens' grant.
  package let grant: TokenGrant
  /// When the access token was issued.
  package let issuedAt: Date
  /// When it ends if it isn't used again.
  package let expiresAt: Date
  /// Whether this repeats the answer to an earlier use of the same refresh token.
  package let isReplay: Bool
}
