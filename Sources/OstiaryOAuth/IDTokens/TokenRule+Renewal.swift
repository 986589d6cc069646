internal import OstiaryCore
internal import OstiaryJOSE

// The rules for the ID token of a renewal (OpenID Connect Core §12.2): it agrees with the one of the sign-in.
extension TokenRule {
  private static let place = "OpenID Connect Core §12.2"

  /// It is about the same user. Another one's ends the session, so nothing but the signature, the issuer and the audience is looked at
  /// before.
  static func isAbout(_ subject: String) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      guard try token.text("sub").hasSameBytes(as: subject) else {
        throw JOSEError(.anotherSubject, "The ID token is about another user than the session's.")
      }
    }.citing(place)
  }

  /// It has the same issuer, audience and authorized party, the same time of the sign-in if both have one, and the same nonce or none.
  static func agrees(with earlier: EarlierIDToken) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      let new = EarlierIDToken(claims: token.claims)
      guard Self.same("iss", new, earlier) else { throw Self.differs("issuer") }
      guard new.audiences == earlier.audiences else { throw Self.differs("audience") }
      guard Self.same("azp", new, earlier) else { throw Self.differs("authorized party") }
      guard new.claims["auth_time"] == nil || earlier.claims["auth_time"] == nil || Self.same("auth_time", new, earlier)
      else { throw Self.differs("time of the sign-in") }
      guard new.claims["nonce"] == nil || Self.same("nonce", new, earlier) else { throw Self.differs("nonce") }
    }.citing(place)
  }

  private static func same(_ name: String, _ one: EarlierIDToken, _ other: EarlierIDToken) -> Bool {
    switch (one.claims[name], other.claims[name]) {
    case (nil, nil): true
    case (.string(let one)?, .string(let other)?): one.hasSameBytes(as: other)
    // A number may have been written in another way.
    case (let one?, let other?): one == other || (one.double != nil && one.double == other.double)
    default: false
    }
  }

  private static func differs(_ what: String) -> JOSEError {
    JOSEError(.differsFromEarlier, "The ID token of the renewal has another \(what) than the one before it.")
  }
}
