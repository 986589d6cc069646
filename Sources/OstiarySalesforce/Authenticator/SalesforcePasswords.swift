public import Foundation
public import OstiaryCore

/// What a user name and a password are good for at a Salesforce server.
public enum SalesforcePasswords: Sendable {
  /// Nothing: `Credential.password` is not taken.
  case refused
  /// Headless sign-in to a community whose administrator allows it: the password goes to the authorization endpoint, a
  /// code with PKCE comes back.
  case headless(redirectURI: URL)
  /// The username-password flow (RFC 6749 §4.3). Insecure: the program sees the password, and no second factor fits in.
  /// No refresh token is given. The security token, which Salesforce wants from addresses that it doesn't trust, is
  /// added to the password.
  case insecureUsernamePassword(securityToken: Secret?)
}
