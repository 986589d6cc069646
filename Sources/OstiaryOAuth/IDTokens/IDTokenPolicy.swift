public import OstiaryCore
public import OstiaryJOSE

/// What a client demands of ID tokens (OpenID Connect Core §3.1.3.7), and where the keys for them are.
///
/// With one, an ``OAuthClient`` believes no ID token that it has not verified: it asks for them with a `nonce`, and who signs in is who the
/// ID token says.
///
/// ```swift
/// client.idTokens = IDTokenPolicy(issuer: "https://as.example", keys: keys, algorithms: [.es256])
/// ```
public struct IDTokenPolicy: Sendable {
  /// Who makes the tokens (`iss`), compared byte for byte.
  public var issuer: String
  /// Other texts by which the issuer's tokens mean it, of servers that break the rule: Google's may leave out the scheme.
  public var otherIssuerNames: Set<String> = []
  /// Where the issuer's keys come from.
  public var keys: any IDTokenKeys
  /// The algorithms that are allowed. With ``/OstiaryJOSE/SignatureAlgorithm/insecureHS256`` and its like among them, the key is the client's
  /// own secret.
  public var algorithms: Set<SignatureAlgorithm>
  /// How far the clocks may differ beyond what the server's answers have shown.
  public var skew: Duration
  /// How long ago a token may have been issued when it comes; `nil`: as long as it likes, it says when it expires.
  public var maximumAge: Duration?
  /// Whom tokens may be for besides this client (`aud`). `nil`: any others, where the issuer says that the token was made for this
  /// client (`azp`).
  public var trustedAudiences: Set<String>?
  /// Whether a sign-in for which an authentication context was asked (`acr_values`) has to be in one of these. The request is only a wish
  /// to the server (OpenID Connect Core §3.1.2.1).
  public var demandsContextClass = true

  /// Makes a policy.
  /// - Parameters:
  ///   - issuer: who makes the tokens, as the server's metadata say.
  ///   - keys: where the issuer's keys come from; a ``/OstiaryJOSE/KeySet`` for known ones.
  ///   - algorithms: those that are allowed. Which one a token names chooses nothing.
  ///   - skew: how far the clocks may differ beyond what the server's answers have shown.
  public init(
    issuer: String, keys: any IDTokenKeys, algorithms: Set<SignatureAlgorithm> = SignatureAlgorithm.allPublic,
    skew: Duration = .seconds(60)
  ) {
    self.issuer = issuer
    self.keys = keys
    self.algorithms = algorithms
    self.skew = skew
  }
}

extension IDTokenPolicy: Redacted {
  /// The issuer.
  public var description: String { "IDTokenPolicy(\(issuer))" }
}
