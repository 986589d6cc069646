internal import HTTPTypes
public import OstiaryCore

extension OstiaryError.Code {
  /// Facebook does not accept the user's token, or it is another app's or another user's.
  public static let facebookTokenRefused = Self("facebook_token_refused")
  /// Facebook understood a call and did not carry it out. The underlying error is a ``GraphRefusal``.
  public static let facebookRefused = Self("facebook_refused")
}

extension OstiaryError {
  static func facebookTokenRefused(
    _ message: String, request: HTTPRequest? = nil, underlying: (any Error)? = nil
  ) -> OstiaryError {
    OstiaryError(
      .facebookTokenRefused, message, advice: "Log in with Facebook again.", disposition: .terminal, request: request,
      underlying: underlying)
  }
}
