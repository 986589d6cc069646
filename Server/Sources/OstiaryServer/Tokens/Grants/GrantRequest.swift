package import OstiaryCore

/// A request for tokens: which user allows which client what.
package struct GrantRequest: Sendable {
  /// The client that gets the tokens.
  package var client: Client
  /// The user on whose behalf it acts; nil for a client that acts for itself.
  package var user: User?
  /// The scopes of the tokens, as scope tokens (RFC 6749 §3.3).
  package var scopes: [String]
  /// Whether a refresh token is issued.
  package var includesRefreshToken: Bool
  /// The prefixes of the tokens' texts.
  package var prefixes: TokenPrefixes
  /// Values that a door reads again with the tokens, for example an organisation's or a community's id. At most 4 KiB
  /// of JSON.
  package var attributes: [String: JSONValue]

  /// Describes a grant.
  package init(
    client: Client, user: User?, scopes: [String], includesRefreshToken: Bool, prefixes: TokenPrefixes = .standard,
    attributes: [String: JSONValue] = [:]
  ) {
    self.client = client
    self.user = user
    self.scopes = scopes
    self.includesRefreshToken = includesRefreshToken
    self.prefixes = prefixes
    self.attributes = attributes
  }
}
