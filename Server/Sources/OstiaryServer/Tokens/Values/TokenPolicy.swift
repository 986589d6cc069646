/// What a client's tokens are like: how long they last, whether they rotate, how many there may be.
///
/// The defaults are those for an OpenID provider of today. Doors that imitate a vendor change them.
public struct TokenPolicy: Hashable, Sendable {
  /// Of an access token.
  public var accessLifetime = TokenLifetime.fixed(.seconds(3600))
  /// Whether each use of a refresh token replaces it (RFC 9700 §4.14.2). Without rotation the token stays the same.
  public var rotatesRefreshTokens = true
  /// How long after a rotation the old refresh token still gets the *same* successor again, for a client that has not
  /// received it. Any later use is taken for theft and ends the family.
  public var replayWindow = Duration.seconds(60)
  /// Whether the old refresh token gets its successor again also later, as long as nobody has used that one. A client
  /// that loses an answer and then its network is not signed out; theft is discovered later, at the next use but one.
  public var replaysUntilSuccessorIsUsed = false
  /// A refresh token ends after this much time without a use.
  public var refreshIdle: Duration? = .seconds(30 * 24 * 3600)
  /// A refresh token and its successors end this long after the first was issued, whatever happens.
  public var refreshAbsolute: Duration? = .seconds(365 * 24 * 3600)
  /// How long an authorization code is good: at most 60 seconds for an OpenID provider (ASVS 5 §10.4.3).
  public var codeLifetime = Duration.seconds(60)
  /// Whether an authorization code must come with a PKCE challenge (S256). One that comes is always verified.
  public var requiresCodeChallenge = true
  /// The longest PKCE verifier accepted, in bytes; RFC 7636 §4.1 says 128.
  public var longestCodeVerifier = 128
  /// Whether giving the user a new password, or disabling them, ends their tokens for good. Otherwise tokens of a
  /// disabled user are refused while the user is disabled.
  public var endsWithPassword = true
  /// Approvals, which are grants with a refresh token, that one user may have for the client; one more ends the oldest.
  public var mostApprovalsPerUser = 100
  /// Grants without a refresh token that one user may have for the client; one more ends the oldest.
  public var mostAccessOnlyGrantsPerUser = 100
  /// Access tokens that one grant may have; one more ends the oldest quarter of them, or at least the oldest.
  public var mostAccessTokensPerGrant = 100

  /// The policy described above.
  public static let standard = TokenPolicy()

  /// Makes the standard policy, for changing some of it.
  public init() {}
}
