public import OstiaryCore

extension AuthenticatorKind {
  /// A gateway in front of a server.
  public static let gateway = AuthenticatorKind("gateway")
}
