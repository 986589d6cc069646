internal import OstiaryCore

extension IDToken {
  /// Whether the issuer says that the user's e-mail address is theirs (`email_verified`). Apple's may say so in a text.
  public var hasVerifiedEmail: Bool { claims.flag("email_verified") }

  /// The user in all apps of a tenant of Microsoft Entra ID (`oid` and `tid`), where `sub` is another one for each app; `nil` for others' tokens.
  public var entraUserID: String? {
    guard let user = claims["oid"]?.string, let tenant = claims["tid"]?.string else { return nil }
    return "\(user).\(tenant)"
  }
}
