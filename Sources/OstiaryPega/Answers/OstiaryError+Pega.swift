public import OstiaryCore

extension OstiaryError.Code {
  /// The client's version is not among those that the server works with. No session was kept, on either side.
  public static let unsupportedClientVersion = Self("unsupported_client_version")
}

extension AuthenticatorKind {
  /// A Pega server.
  public static let pega = AuthenticatorKind("pega")
}
