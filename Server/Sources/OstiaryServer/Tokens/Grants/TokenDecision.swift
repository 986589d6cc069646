/// What becomes of a request for tokens.
public enum TokenDecision: Sendable {
  /// They are issued, and durable.
  case issued(IssuedTokens)
  /// There are none.
  case refused(TokenRefusal)

  /// The tokens, if there are any.
  public var tokens: IssuedTokens? {
    if case .issued(let tokens) = self { tokens } else { nil }
  }

  /// Why there are none, if so.
  public var refusal: TokenRefusal? {
    if case .refused(let refusal) = self { refusal } else { nil }
  }
}
