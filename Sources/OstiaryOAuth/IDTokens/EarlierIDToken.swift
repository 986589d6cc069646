internal import OstiaryCore
internal import OstiaryJOSE

/// The ID token of a session, which one that comes with a renewal has to agree with (OpenID Connect Core §12.2).
///
/// It was verified when it came, or it came over TLS from the token endpoint to a version that kept it unread; the store's seal is what
/// vouches for it now.
struct EarlierIDToken: Sendable, Hashable {
  let claims: [String: JSONValue]

  /// - Parameter text: the token as the session keeps it; `nil` for one that can't be read.
  init?(_ text: Secret) {
    guard let token = try? PresentedToken(text.reveal()) else { return nil }
    claims = token.unverifiedClaims
  }

  init(claims: [String: JSONValue]) { self.claims = claims }

  /// Whom it is about.
  var subject: String? { claims["sub"]?.string }

  /// Whom it is for, in any order.
  var audiences: Set<String> {
    switch claims["aud"] {
    case .string(let audience)?: [audience]
    case .array(let elements)?: Set(elements.compactMap(\.string))
    default: []
    }
  }
}
