internal import OstiaryCore

/// An access token that a transaction has just made, or found again.
struct NewAccessToken: Sendable {
  let text: String
  let hash: TokenHash
  let record: AccessTokenRecord
  /// Whether others had to end.
  let endedSome: Bool

  func issue(refreshToken: RefreshTokenText?, isReplay: Bool = false, endedSome: Bool = false) -> TokenIssue {
    TokenIssue(
      tokens: IssuedTokens(
        accessToken: Secret(text), refreshToken: refreshToken.map { Secret($0.text) }, scopes: record.scopes,
        grant: record.grant, issuedAt: record.createdAt, expiresAt: record.expiresAt, isReplay: isReplay),
      record: record, hash: hash, endedSome: endedSome || self.endedSome)
  }
}
