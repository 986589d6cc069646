internal import Crypto
import Foundation

/// A PKCE challenge (RFC 7636) with the method S256, the only one there is here.
public struct CodeChallenge: Hashable, Sendable {
  /// 43 characters of base64url: the SHA-256 of the verifier.
  public let value: String

  /// Makes a challenge of what a client sent; nil if it can't be one.
  /// - Parameter method: `S256`. Without a method RFC 7636 §4.3 means `plain`, which is refused; a door whose vendor means
  ///   something else says so here.
  public init?(_ value: String, method: String?) {
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
