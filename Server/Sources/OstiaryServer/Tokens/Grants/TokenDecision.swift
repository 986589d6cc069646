package import Foundation

/// What becomes of a request for tokens.
package enum TokenDecision: Sendable {
  /// They are issued, and durable.
  case issued(IssuedTokens)
  /// There are none.
  case refused(TokenRefusal)

  /// The tokens, if there are any.
  package var tokens: IssuedTokens? {
    if case .issued(let tokens) = self { tokens } else { nil }
  }

  /// Why there are none, if so.
  package var refusal: TokenRefusal? {
    if case .refused(let refusal) = self { refusal } else { nil }
  }
}

/// What is known of a live token (RFC 7662 §2.2). Of any other nothing is.
package struct LiveToken: Hashable, Sendable {
  /// Which kind of token it is.
  package let kind: PresentedTokenKind
  /// What it belongs to.
  package let grant: TokenGrant
  /// What it allows.
  package let scopes: [String]
  /// When it was issued; of a refresh token, when the grant was given.
  package let issuedAt: Date
  /// When it ends if it isn't used again; nil for never.
  package let expiresAt: Date?
}
