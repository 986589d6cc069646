internal import Foundation
internal import OstiaryCore
internal import OstiaryJOSE

/// An ID token that has come, and all that it is judged by.
struct IDTokenCase: Sendable {
  /// The token.
  let text: Secret
  /// What came with it; `nil` where it came alone.
  let accessToken: Secret?
  /// Whom it has to be for.
  let clientID: String
  /// The client's own secret, where it has one.
  var secret: Secret?
  /// What the sign-in has asked.
  var expectation: IDTokenExpectation?
  /// The session's ID token before it.
  var earlier: EarlierIDToken?
  /// When it came, by the server's clock as far as that is known: a token is no worse for keys that could not be had at once.
  let cameAt: Date

  func verifier(_ policy: IDTokenPolicy) -> TokenVerifier {
    // As far as a session ends by another user's, in this order.
    var rules: [TokenRule] = [
      .madeBy(policy.issuer, orNamed: policy.otherIssuerNames),
      .audience(clientID).citing(IDTokenRules.step(3)), .isNoLogout,
    ]
    if let subject = earlier?.subject ?? expectation?.subject { rules.append(.isAbout(subject)) }
    rules += [
      .isFor(clientID, trusting: policy.trustedAudiences), .madeFor(clientID), .saysWho,
      .unexpired(skew: policy.skew).citing(IDTokenRules.step(9)),
      .issuedAtAll(within: policy.maximumAge, skew: policy.skew),
    ]
    if let accessToken { rules.append(.belongs(to: accessToken)) }
    if let earlier { rules.append(.agrees(with: earlier)) }
    if let nonce = expectation?.nonce { rules.append(.answers(nonce: nonce)) }
    if let classes = expectation?.contextClasses, !classes.isEmpty, policy.demandsContextClass {
      rules.append(.authenticated(inOneOf: classes))
    }
    if let age = expectation?.maximumAge { rules.append(.authenticated(within: age, skew: policy.skew)) }
    return TokenVerifier(algorithms: policy.algorithms, type: .jwtOrAbsent, rules: rules)
  }
}
