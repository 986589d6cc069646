public import Foundation
public import OstiaryCore
public import OstiaryJOSE

/// An ID token that was verified: who has signed in, by the word of the issuer (OpenID Connect Core §2).
public struct IDToken: Sendable, Hashable {
  /// Who says so.
  public let issuer: String
  /// Who has signed in: never given to another person by this issuer.
  public let subject: String
  /// Everything that the issuer says.
  public let claims: [String: JSONValue]
  /// The key that has verified it; `nil` for the client's own secret.
  public let key: PublicJWK?

  init(_ token: VerifiedToken) throws(JOSEError) {
    issuer = try token.text("iss")
    subject = try token.text("sub")
    claims = token.claims
    key = token.key.jwk
  }

  /// A token that a session has kept since it was verified.
  init?(kept text: Secret, _ trust: IDTokenTrust) {
    guard var claims = EarlierIDToken(text)?.claims, let issuer = claims["iss"]?.string,
      let subject = claims["sub"]?.string
    else { return nil }
    // A renewal need not say it again.
    if claims["sid"] == nil { claims["sid"] = trust.sessionID.map(JSONValue.string) }
    self.issuer = issuer
    self.subject = subject
    self.claims = claims
    key = trust.key
  }

  /// The session of the user's at the server (`sid`), by which its logout names it.
  public var sessionID: String? { claims["sid"]?.string }

  /// When the user signed in at the server (`auth_time`), by the server's clock, where it said so.
  public var authenticatedAt: Date? { claims["auth_time"]?.double.map { Date(timeIntervalSince1970: $0) } }

  /// The authentication context that the sign-in was in (`acr`), where the server said so.
  public var contextClass: String? { claims["acr"]?.string }
}

extension IDToken: Redacted {
  /// Who says it of whom.
  public var description: String { "IDToken(\(subject) by \(issuer))" }
}
