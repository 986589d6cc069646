/// The policy of a client's tokens: how long they are valid, whether they rotate, how many there may be.
///
/// The defaults are those of a current OpenID provider. Doors that imitate a vendor change them.
package struct TokenPolicy: Hashable, Sendable {
  /// The lifetime of an access token.
  package var accessLifetime = TokenLifetime.fixed(.seconds(3600))
  /// Whether each use of a refresh token replaces it (RFC 9700 §4.14.2). Without rotation the token stays the same.
  package var rotatesRefreshTokens = true
  /// How long after a rotation the old refresh token still gets the *same* successor again, for a client that has not
  /// received it. A later use counts as theft and ends the family. The time in which the server could not reach its storage
  /// does not count.
  package var replayWindow = Duration.seconds(60)
  /// Whether the old refresh token gets its successor again also later, as long as no client has used the successor. A
  /// client that loses an answer and then its network is not signed out; a theft is detected later, at the next use but
  /// one.
  package var replaysUntilSuccessorIsUsed = false
  /// A refresh token ends after this much time without a use.
  package var refreshIdle: Duration? = .seconds(30 * 24 * 3600)
  /// A refresh token and its successors end this long after the first was issued, in every case.
  package var refreshAbsolute: Duration? = .seconds(365 * 24 * 3600)
  /// How long an authorization code is valid: at most 60 seconds for an OpenID provider (ASVS 5 §10.4.3).
  package var codeLifetime = Duration.seconds(60)
  /// Whether an authorization code must have a PKCE challenge (S256). A challenge that is sent is always verified.
  package var requiresCodeChallenge = true
  /// The longest PKCE verifier accepted, in bytes; RFC 7636 §4.1 says 128.
  package var longestCodeVerifier = 128
  /// Whether giving the user a new password, or disabling them, ends their tokens for good. Otherwise tokens of a
  /// disabled user are refused while the user is disabled.
  package var endsWithPassword = true
  /// The most approvals (grants with a refresh token) of one user for the client; one more ends the oldest.
  package var mostApprovalsPerUser = 100
  /// The most grants without a refresh token of one user for the client; one more ends the oldest.
  package var mostAccessOnlyGrantsPerUser = 100
  /// The most access tokens of one grant; one more ends the oldest quarter of them, or at least the oldest.
  package var mostAccessTokensPerGrant = 100

  /// The policy described above.
  package static let standard = TokenPolicy()

  /// Makes the standard policy, for changing some of it.
  package init() {}
}

/// The prefix of a token's text, before its random part.
///
/// The prefixes of the server's own tokens are `ost_at_` (access token), `ost_rt_` (refresh token), `ost_ac_`
/// (authorization code), `ost_dc_` (device code) and `ost_cs_` (client secret): a scanner for leaked secrets can find
/// them. A door that imitates a vendor has its own.
package struct TokenPrefixes: Hashable, Sendable {
  /// The prefix of access tokens.
  package var access: String
  /// The prefix of refresh tokens.
  package var refresh: String

  /// The server's own prefixes.
  package static let standard = TokenPrefixes(access: "ost_at_", refresh: "ost_rt_")

  /// Makes prefixes of at most 64 bytes each.
  package init(access: String, refresh: String) {
    self.access = access
    self.refresh = refresh
  }
}

/// The two kinds of token that a client presents.
package enum PresentedTokenKind: String, Hashable, Sendable, CaseIterable {
  /// The client presents it with each call.
  case access = "access_token"
  /// The client presents it for a new access token.
  case refresh = "refresh_token"
}
