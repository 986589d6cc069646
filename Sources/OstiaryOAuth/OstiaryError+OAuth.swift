public import OstiaryCore
internal import OstiaryJOSE

extension OstiaryError.Code {
  /// The authorization server does not accept the grant: the authorization code, the refresh token, the assertion. Only
  /// a new authorization helps. The underlying error is an ``OAuthRefusal``.
  public static let grantRefused = Self("grant_refused")
  /// The authorization server does not accept what this client is or asks for; its registration or configuration has to
  /// be changed. It says nothing about a session. The underlying error is an ``OAuthRefusal``.
  public static let clientRefused = Self("client_refused")
  /// The key with which the client says who it is can't sign now: a keychain is locked, a hardware module is away. It says nothing about a
  /// session.
  public static let clientKeyUnavailable = Self("client_key_unavailable")
  /// A callback did not belong to the authorization that was begun, or was not to be believed.
  public static let callbackRefused = Self("callback_refused")
  /// The user code of a device was not entered before it expired (RFC 8628 §3.5).
  public static let deviceCodeExpired = Self("device_code_expired")
  /// The ID token of a sign-in is missing or not to be believed. The underlying error is a ``/OstiaryJOSE/JOSEError``: it
  /// names the rule and where that stands.
  public static let idTokenRefused = Self("id_token_refused")
  /// No browser could be opened for the user.
  public static let browserUnavailable = Self("browser_unavailable")
}

extension OstiaryError {
  static func callbackRefused(_ message: String) -> OstiaryError {
    OstiaryError(
      .callbackRefused, message, advice: "Begin the sign-in again.", disposition: .terminal,
      requestMayHaveExecuted: false)
  }

  static func idTokenRefused(_ error: JOSEError) -> OstiaryError {
    OstiaryError(
      .idTokenRefused, "The ID token of the sign-in is not to be believed: \(error)",
      advice: "Begin the sign-in again.", disposition: .terminal, underlying: error)
  }

  static func invalidOAuthInput(_ message: String, _ advice: String) -> OstiaryError {
    OstiaryError(.invalidInput, message, advice: advice, requestMayHaveExecuted: false)
  }
}

extension AuthenticatorKind {
  /// A server that takes OAuth 2 access tokens (RFC 6750).
  public static let oauth = AuthenticatorKind("oauth")
}
