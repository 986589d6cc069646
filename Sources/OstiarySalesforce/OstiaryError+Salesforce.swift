public import OstiaryCore

extension OstiaryError.Code {
  /// The Salesforce server says that the session is expired or invalid (401 `INVALID_SESSION_ID`, 403 `Bad_OAuth_Token`).
  public static let salesforceSessionInvalid = Self("salesforce_session_invalid")
  /// The Salesforce server knows the user and refuses what was asked for (403).
  public static let salesforceRequestRefused = Self("salesforce_request_refused")
  /// What was asked for does not exist at the Salesforce server (404).
  public static let salesforceResourceNotFound = Self("salesforce_resource_not_found")
  /// Settings can't be used: incomplete, a signed-out account's, or the ones that have just failed.
  public static let salesforceSettingsUnusable = Self("salesforce_settings_unusable")
  /// Other settings took the place of these before the server had answered.
  public static let salesforceSettingsSuperseded = Self("salesforce_settings_superseded")
  /// A guest asked for something, and there is no site that guests may visit.
  public static let salesforceGuestHasNoSite = Self("salesforce_guest_has_no_site")
}

extension AuthenticatorKind {
  /// A Salesforce org.
  public static let salesforce = AuthenticatorKind("salesforce")
}

extension OstiaryError {
  static func salesforceSettingsUnusable(
    _ message: String = "The settings have no tokens that could be used.", underlying: (any Error)? = nil
  ) -> OstiaryError {
    OstiaryError(
      .salesforceSettingsUnusable, message, advice: "Hand over new settings.", disposition: .terminal,
      requestMayHaveExecuted: false, underlying: underlying)
  }

  static var salesforceSettingsSuperseded: OstiaryError {
    OstiaryError(
      .salesforceSettingsSuperseded, "Other settings were set before the server had answered about these.",
      disposition: .terminal, requestMayHaveExecuted: false)
  }

  static var salesforceGuestHasNoSite: OstiaryError {
    OstiaryError(
      .salesforceGuestHasNoSite, "A guest can't ask this: no site for guests is known.",
      advice: "Sign in, or set a guest's settings with the community's address.", disposition: .misuse,
      requestMayHaveExecuted: false)
  }

  static func salesforceSessionInvalid(_ reason: String, underlying: (any Error)? = nil) -> OstiaryError {
    OstiaryError(
      .salesforceSessionInvalid, "The session is expired or invalid: \(reason)", advice: "Sign in again.",
      disposition: .terminal, requestMayHaveExecuted: false, underlying: underlying)
  }
}
