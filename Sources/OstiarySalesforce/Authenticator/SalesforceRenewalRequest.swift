/// Whose tokens are to be renewed though there is no refresh token for them.
public struct SalesforceRenewalRequest: Sendable, Hashable {
  /// Who it is.
  public let identity: SalesforceUserIdentity
  /// The name that the user signs in with, which an assertion is about; `nil` where it was not said: neither the app
  /// when it signed the user in, nor the server since (``SalesforceConnection/verify()`` asks).
  public let username: String?
  /// Where the tokens come from: whom an assertion is for.
  public let host: SalesforceLoginHost

  /// Makes a request, for tests of what answers it.
  public init(identity: SalesforceUserIdentity, username: String?, host: SalesforceLoginHost) {
    self.identity = identity
    self.username = username
    self.host = host
  }
}
