public import OstiaryCore

extension AuthenticatorKind {
  /// A server that takes OAuth 2 access tokens (RFC 6750).
  public static let oauth = AuthenticatorKind("oauth")
}
