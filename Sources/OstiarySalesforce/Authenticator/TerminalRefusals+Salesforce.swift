internal import OstiaryCore
public import OstiaryOAuth

extension TerminalRefusals {
  /// What is a Salesforce server's definite word: the standard's list, and `inactive_user`, for an account that was frozen
  /// or deactivated and whose tokens are of no use to it. `access_denied` counts in its other spelling, too, which some of
  /// the server's pages use.
  ///
  /// `invalid_grant` says nothing for good when its words are about another renewal of the same token that is still
  /// under way, or about an address or an hour at which the org lets no user in. `inactive_org`, `rate_limit_exceeded`
  /// and the codes for a wrong client are not on the list: they are the same for every user, and asking them again
  /// can't help.
  public static let salesforce: TerminalRefusals = {
    var refusals = TerminalRefusals.standard
    refusals[.accessDeniedWithHyphen] = "Access was denied."
    refusals[.inactiveUser] = "The server says that the account is not active."
    refusals.passingExplanations = ["already being processed", "ip restricted", "invalid login hours"]
    return refusals
  }()
}

extension OAuthRefusal.Code {
  /// The account is frozen or deactivated.
  public static let inactiveUser = Self("inactive_user")
  /// The org is locked, closed or suspended.
  public static let inactiveOrg = Self("inactive_org")
  /// Too many sign-ins.
  public static let rateLimitExceeded = Self("rate_limit_exceeded")
  /// The connected app's consumer key is not known.
  public static let invalidClientID = Self("invalid_client_id")
}
