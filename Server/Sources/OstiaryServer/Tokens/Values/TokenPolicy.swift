/// What a client's tokens are like: how long they last, whether they rotate, how many there may be.
///
/// The defaults are those for an OpenID provider of today. Doors that imitate a vendor change them.
package struct TokenPolicy: Hashable, Sendable {
  /// Of an access token.
  package var accessLifetime = TokenLifetime.fixed(.seconds(3600))
  /// Whether each use of a refresh token replaces it (RFC 9700 §4.14.2). Without rotation the token stays the same.
  package var rotatesRefreshTokens = true
  /// How long after a rotation the old refresh token still gets the *same* successor again, for a client that has not
  /// received it. Any later use is taken for theft and ends the family.
  package var replayWindow = Duration.seconds(60)
  /// Whether the old refresh token gets its successor again also later, as long as nobody has used that one. A client
  /// that loses an answer and then its network is not signed out; theft is discovered later, at the next use but one.
  package var replaysUntilSuccessorIsUsed = false
  /// A refresh token ends after this much time without a use.
  package var refreshIdle: Duration? = .seconds(30 * 24 * 3600)
  /// A refresh token and its successors end this long after the first was issued, whatever happens.
  package var refreshAbsolute: Duration? = .seconds(365 * 24 * 3600)
  /// How long an authorization code is good: at most 60 seconds for an OpenID provider (ASVS 5 §10.4.3).
  package var codeLifetime = Duration.seconds(60)
  /// Whether an authorization code must come with a PKCE challenge (S256). One that comes is always verified.
  package var requiresCodeChallenge = true
  /// The longest PKCE verifier accepted, in bytes; RFC 7636 §4.1 says 128.
  package var longestCodeVerifier = 128
  /// Whether giving the user a new password, or disabling them, ends their tokens for good. Otherwise tokens of a
  /// disabled user are refused while the user is disabled.
  package var endsWithPassword = true
  /// Approvals, which are grants with a refresh token, that one user may have for the client; one more ends the oldest.
  package var mostApprovalsPerUser = 100
  /// Grants without a refresh token that one user may have for the client; one more ends the oldest.
  package var mostAccessOnlyGrantsPerUser = 100
  /// Access tokens that one grant may have; one more ends the oldest quarter of them, or at least the oldest.
  package var mostAccessTokensPerGrant = 100

  /// The policy described above.
  package static let standard = TokenPolicy()

  /// Makes the standard policy, for changing some of it.
  package init() {}
}

/// What a token's text begins with, before its random part.
///
/// The prefixes of the server's own tokens are `ost_at_` (access token), `ost_rt_` (refresh token), `ost_ac_`
/// (authorization code), `ost_dc_` (device code) and `ost_cs_` (client secret), so that whoever looks for leaked
/// secrets can find them. A door that imitates a vendor gives its own.
package struct TokenPrefixes: Hashable, Sendable {
  /// Of access tokens.
  package var access: String
  /// Of refresh tokens.
  package var refresh: String

  /// The server's own.
  package static let standard = TokenPrefixes(access: "ost_at_", refresh: "ost_rt_")

  /// Names prefixes: at most 64 bytes each.
  package init(access: String, refresh: String) {
    self.access = access
    self.refresh = refresh
  }
}

/// The two kinds of token that a client presents.
package enum PresentedTokenKind: String, Hashable, Sendable, CaseIterable {
  /// Presented with each call.
  case access = "access_token"
  /// Presented for a new access token.
  case refresh = "refresh_token"
}
