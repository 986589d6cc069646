public import OstiaryCore

/// How a service is used at the moment.
public enum SalesforceServiceState: Sendable {
  /// The app has not been asked and no settings have been set.
  case unset
  /// The app is being asked, or the server is being asked about what the app handed over.
  case pending
  /// By a guest; with the error that ended the user's session, if one did.
  case guest(OstiaryError?)
  /// By a user whose tokens the server has accepted.
  case authenticated(SalesforceUserIdentity)
}

/// One change of a service's settings.
public struct SalesforceServiceEvent: Sendable {
  /// The service.
  public let type: SalesforceServiceType
  /// How it is used now.
  public let state: SalesforceServiceState
  /// The settings that hold now; `nil` after a sign-out.
  public let settings: SalesforceSettings?
  /// Why.
  public let cause: Cause
}

extension Cause {
  /// The app answered a question for settings.
  public static let answeredByApp = Cause("answered_by_app")
}
