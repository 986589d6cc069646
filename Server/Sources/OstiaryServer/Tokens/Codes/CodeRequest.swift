internal import Crypto
import Foundation
package import OstiaryCore

/// A request for an authorization code.
package struct CodeRequest: Sendable {
  /// The grant that redeeming the code gives.
  package var grant: GrantRequest
  /// The redirect URI as the client wrote it; nil if it wrote none. Redeeming must name the same URI, or none if there
  /// was none.
  package var redirectURI: String?
  /// The client's PKCE challenge.
  package var challenge: CodeChallenge?
  /// The prefix of the code's text.
  package var prefix: String

  /// Describes a code.
  package init(
    grant: GrantRequest, redirectURI: String?, challenge: CodeChallenge?, prefix: String = "ost_ac_"
  ) {
    self.grant = grant
    self.redirectURI = redirectURI
    self.challenge = challenge
    self.prefix = prefix
  }
}

/// A PKCE challenge (RFC 7636) with the method S256, the only supported one.
package struct CodeChallenge: Hashable, Sendable {
  /// 43 characters of base64url: the SHA-256 of the verifier.
  package let value: String

  /// Makes a challenge of a text that a client sent; nil if it can't be one.
  /// - Parameter method: `S256`. Without a method RFC 7636 §4.3 means `plain`, which is refused; a door whose vendor
  ///   means another method names it here.
  package init?(_ value: String, method: String?) {
    guard method == "S256", value.utf8.count == 43,
      value.utf8.allSatisfy({ $0.isBase64URL })
    else { return nil }
    self.value = value
  }

  /// Whether this is the challenge of `verifier`; compared in constant time.
  func matches(_ verifier: String) -> Bool {
    ConstantTime.isEqual(SHA256.hash(data: Data(verifier.utf8)).base64URL.utf8, value.utf8)
  }
}

/// The result of a request for an authorization code.
package enum CodeDecision: Sendable {
  /// The code; this is the only copy.
  case issued(Secret)
  /// The request was refused.
  case refused(TokenRefusal)

  /// The code, if one was issued.
  package var code: Secret? {
    if case .issued(let code) = self { code } else { nil }
  }
}
