internal import Crypto
internal import Foundation
public import OstiaryCore

/// The signature with which a Salesforce server vouches for who the tokens are for: HMAC-SHA256 of the identity URL and
/// the time, with the connected app's secret.
public enum SalesforceSignature {
  /// The signature in base64.
  public static func make(identityURL: String, issuedAt: String, clientSecret: Secret) -> String {
    let key = SymmetricKey(data: Data(clientSecret.reveal().utf8))
    let code = HMAC<SHA256>.authenticationCode(for: Data((identityURL + issuedAt).utf8), using: key)
    return Data(code).base64EncodedString()
  }

  /// Whether a signature is right. It takes as long for one that is almost right as for one that is not.
  public static func isValid(
    _ signature: String, identityURL: String, issuedAt: String, clientSecret: Secret
  ) -> Bool {
    guard let presented = Data(base64Encoded: signature) else { return false }
    let key = SymmetricKey(data: Data(clientSecret.reveal().utf8))
    return HMAC<SHA256>.isValidAuthenticationCode(
      presented, authenticating: Data((identityURL + issuedAt).utf8), using: key)
  }
}
