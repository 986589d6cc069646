package import Foundation

/// The result of a request for tokens.
package enum TokenDecision: Sendable {
  /// The tokens are issued, and durable.
  case issued(IssuedTokens)
  /// The request was refused.
  case refused(TokenRefusal)

  /// The tokens, if they were issued.
  package var tokens: IssuedTokens? {
    if case .issued(let tokens) = self { tokens } else { nil }
  }

  /// The refusal, if there is one.
  package var refusal: TokenRefusal? {
    if case .refused(let refusal) = self { refusal } else { nil }
  }
}

/// The introspection of a live token (RFC 7662 §2.2). Other tokens have none.
package struct LiveToken: Hashable, Sendable {
  /// The token's kind.
  package let kind: PresentedTokenKind
  /// The token's grant.
  package let grant: TokenGrant
  /// The token's scopes.
  package let scopes: [String]
  /// When it was issued; for a refresh token, when the grant was given.
  package let issuedAt: Date
  /// When it ends if it isn't used again; nil for never.
  package let expiresAt: Date?
}
