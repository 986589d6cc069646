public import OstiaryCore

/// What to issue tokens for: who lets which client do what.
public struct GrantRequest: Sendable {
  /// Who gets the tokens.
  public var client: Client
  /// On whose behalf; nil where the client acts for itself.
  public var user: User?
  /// What they allow, as scope tokens (RFC 6749 §3.3).
  public var scopes: [String]
  /// Whether there is to be a refresh token.
  public var includesRefreshToken: Bool
  /// What the tokens' texts begin with.
  public var prefixes: TokenPrefixes
  /// What a door wants to find again with the tokens, for example an organisation's or a community's id. At most 4 KiB
  /// of JSON.
  public var attributes: [String: JSONValue]

  /// Describes a grant.
  public init(
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
