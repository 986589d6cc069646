/// The two kinds of token that a client presents.
public enum TokenKind: String, Hashable, Sendable, CaseIterable {
  /// Presented with each call.
  case access = "access_token"
  /// Presented for a new access token.
  case refresh = "refresh_token"
}
