public import OstiaryCore

extension OstiaryError.Code {
  /// The server offers no way of authentication that is known and allowed here.
  public static let noUsableScheme = Self("no_usable_scheme")
  /// The server was to prove that it knows the password, and did not (RFC 7616 §3.5).
  public static let serverNotProven = Self("server_not_proven")
}

extension AuthenticatorKind {
  /// A server that takes the schemes of the `Authorization` field.
  public static let http = AuthenticatorKind("http")
}

extension OstiaryError {
  static func serverNotProven(_ proof: ServerProof) -> OstiaryError {
    switch proof {
    case .unverifiable:
      OstiaryError(
        .serverNotProven, "The server's proof that it knows the password covers what can't be compared here.",
        advice: "Ask for the whole response instead of a stream.", disposition: .misuse)
    case .missing:
      OstiaryError(
        .serverNotProven, "The server did not prove that it knows the password.",
        advice: "Check that this is the right server, or do without its proof.",
        disposition: .transient(retryAfter: nil))
    case .wrong, .right:
      OstiaryError(
        .serverNotProven, "The server's proof that it knows the password is wrong.",
        advice: "Check that this is the right server, and that no other host is in between.",
        disposition: .transient(retryAfter: nil))
    }
  }
}
