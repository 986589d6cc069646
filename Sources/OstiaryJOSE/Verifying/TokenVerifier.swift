public import Foundation
internal import OstiaryCore

/// Believes tokens: what it accepts is composed of the caller's words and small rules, and a refusal says which of them refused.
///
/// ```swift
/// let verifier = TokenVerifier(
///   algorithms: [.es256], type: .exactly("at+jwt"),
///   rules: [.issuer("https://as.example"), .audience("https://api.example"), .unexpired()])
/// let token = try verifier.verify(text, with: keys, at: clock.now)
/// ```
///
/// Refused always: tokens that are not signed, encrypted ones, unknown extensions (`crit`), payloads that are not in base64url, more than 64 KiB,
/// base64url or JSON that two programs could read differently. A header never brings a key.
public struct TokenVerifier: Sendable {
  private let algorithms: Set<SignatureAlgorithm>
  private let type: TokenType
  private let rules: [TokenRule]

  /// - Parameters:
  ///   - algorithms: those that are allowed.
  ///   - type: the kinds of token that are expected.
  ///   - rules: what the claims have to say, asked in this order.
  public init(algorithms: Set<SignatureAlgorithm>, type: TokenType, rules: [TokenRule]) {
    self.algorithms = algorithms
    self.type = type
    self.rules = rules
  }

  /// Verifies a token: its form, its type, its signature, then its claims.
  /// - Parameters:
  ///   - text: a signed token in the compact form.
  ///   - keys: the keys that may have signed it.
  ///   - now: the time by which it is judged.
  public func verify(_ text: String, with keys: KeySet, at now: Date) throws(JOSEError) -> VerifiedToken {
    let compact = try CompactJWS(text, maximumBytes: CompactJWS.maximumBytes, recent: keys.recentHeader)
    let (key, algorithm) = try signer(of: compact, keys)
    if !compact.hasRecentHeader { keys.recentHeader?.keep(compact.headerText, compact.header) }
    // Claims are read of signed tokens alone.
    return try judge(compact, claims: compact.claims(), key, algorithm, now)
  }

  /// Verifies a token that was taken apart before.
  /// - Parameters:
  ///   - token: the token.
  ///   - keys: the keys that may have signed it.
  ///   - now: the time by which it is judged.
  public func verify(_ token: PresentedToken, with keys: KeySet, at now: Date) throws(JOSEError) -> VerifiedToken {
    let (key, algorithm) = try signer(of: token.compact, keys)
    return try judge(token.compact, claims: token.members, key, algorithm, now)
  }

  /// Verifies a proof by the key that it brings itself, which no name in its header can exchange.
  func verify(_ compact: CompactJWS, by key: VerificationKey, at now: Date) throws(JOSEError) -> VerifiedToken {
    let (key, algorithm) = try signer(of: compact, KeySet(unnamed: key))
    return try judge(compact, claims: compact.claims(), key, algorithm, now)
  }

  /// Which key signed it, if it is of a type that is expected.
  private func signer(
    of compact: CompactJWS, _ keys: KeySet
  ) throws(JOSEError) -> (VerificationKey, SignatureAlgorithm) {
    guard type.accepts(compact.header.normalizedType) else {
      throw JOSEError(.wrongType, "The token is of another type than is expected.", source: "RFC 8725 §3.11")
    }
    return try compact.signer(among: keys, allowing: algorithms)
  }

  private func judge(
    _ compact: CompactJWS, claims: StrictJSON.Members, _ key: VerificationKey, _ algorithm: SignatureAlgorithm,
    _ now: Date
  ) throws(JOSEError) -> VerifiedToken {
    let token = VerifiedToken(header: compact.header, claims: claims, algorithm: algorithm, key: key)
    for rule in rules { try rule.check(token, now) }
    return token
  }
}
