/// Tokens that a transaction has issued, and what is to be remembered of them once it is durable.
struct TokenIssue: Sendable {
  let tokens: IssuedTokens
  let record: AccessTokenRecord
  let hash: TokenHash
  /// Whether others had to end.
  let endedSome: Bool
}
