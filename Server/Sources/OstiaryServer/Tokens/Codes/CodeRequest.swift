internal import Crypto
import Foundation
package import OstiaryCore

/// What to issue an authorization code for.
package struct CodeRequest: Sendable {
  /// What redeeming the code will grant.
  package var grant: GrantRequest
  /// Where the browser is sent with the code, as the client wrote it; nil where it wrote none. Redeeming must name the
  /// same, or none where there was none.
  package var redirectURI: String?
  /// The client's PKCE challenge.
  package var challenge: CodeChallenge?
  /// What the code's text begins with.
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

/// A PKCE challenge (RFC 7636) with the method S256, the only one there is here.
package struct CodeChallenge: Hashable, Sendable {
  /// 43 characters of base64url: the SHA-256 of the verifier.
  package let value: String

  /// Makes a challenge of what a client sent; nil if it can't be one.
  /// - Parameter method: `S256`. Without a method RFC 7636 §4.3 means `plain`, which is refused; a door whose vendor means
  ///   something else says so here.
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

/// What becomes of a request for an authorization code.
package enum CodeDecision: Sendable {
  /// The code, in the only copy there is.
  case issued(Secret)
  /// There is none.
  case refused(TokenRefusal)

  /// The code, if there is one.
  package var code: Secret? {
    if case .issued(let code) = self { code } else { nil }
  }
}
