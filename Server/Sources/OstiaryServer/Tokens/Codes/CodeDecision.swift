public import OstiaryCore

/// What becomes of a request for an authorization code.
public enum CodeDecision: Sendable {
  /// The code, in the only copy there is.
  case issued(Secret)
  /// There is none.
  case refused(TokenRefusal)

  /// The code, if there is one.
  public var code: Secret? {
    if case .issued(let code) = self { code } else { nil }
  }
}
