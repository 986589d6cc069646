public import OstiaryCore

/// A callback that was found to be the answer to a request (RFC 6749 §4.1.2).
public struct AuthorizationResponse: Sendable, Hashable {
  /// What tokens are given for, once.
  public let code: Secret
  /// What else the server said. The first of each name.
  public let parameters: OAuthParameters

  /// Makes a response, for servers that hand over codes in ways of their own.
  public init(code: Secret, parameters: OAuthParameters = [:]) {
    self.code = code
    self.parameters = parameters
  }
}
