package import OstiaryCore

/// What to issue tokens for: who lets which client do what.
package struct GrantRequest: Sendable {
  /// Who gets the tokens.
  package var client: Client
  /// On whose behalf; nil where the client acts for itself.
  package var user: User?
  /// What they allow, as scope tokens (RFC 6749 §3.3).
  package var scopes: [String]
  /// Whether there is to be a refresh token.
  package var includesRefreshToken: Bool
  /// What the tokens' texts begin with.
  package var prefixes: TokenPrefixes
  /// What a door wants to find again with the tokens, for example an organisation's or a community's id. At most 4 KiB
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
