/// What a token's text begins with, before its random part.
///
/// The prefixes of the server's own tokens are `ost_at_` (access token), `ost_rt_` (refresh token), `ost_ac_`
/// (authorization code), `ost_dc_` (device code) and `ost_cs_` (client secret), so that whoever looks for leaked
/// secrets can find them. A door that imitates a vendor gives its own.
public struct TokenPrefixes: Hashable, Sendable {
  /// Of access tokens.
  public var access: String
  /// Of refresh tokens.
  public var refresh: String

  /// The server's own.
  public static let standard = TokenPrefixes(access: "ost_at_", refresh: "ost_rt_")

  /// Names prefixes: at most 64 bytes each.
  public init(access: String, refresh: String) {
    self.access = access
    self.refresh = refresh
  }
}
