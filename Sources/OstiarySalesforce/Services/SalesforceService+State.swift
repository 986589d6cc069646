public import OstiaryCore

extension SalesforceService {
  /// Who uses the service.
  enum Holder: Sendable {
    /// The app has not been asked and no settings have been set.
    case unset
    /// A guest; by the app's own settings, which forestall the question, or because of what came of one.
    case guest(SalesforceSettings?, OstiaryError?, isSet: Bool)
    case user(User)
    /// A user whose session has failed, whose app knows it and wants to be asked again.
    case lost(User, OstiaryError)
  }

  /// A user of the service. Everything that was begun for one is finished for the same one.
  final class User: Sendable {
    let settings: SalesforceSettings
    let connection: SalesforceConnection

    init(_ settings: SalesforceSettings, _ connection: SalesforceConnection) {
      self.settings = settings
      self.connection = connection
    }
  }

  /// A question to the app, or settings that are being verified.
  final class Change: Sendable {
    let work = SharedWork<Void>()
    let isQuestion: Bool

    init(isQuestion: Bool) {
      self.isQuestion = isQuestion
    }
  }

  struct State: Sendable {
    var holder = Holder.unset
    /// What is under way. Only its own outcome counts; setting settings replaces it.
    var change: Change?
    /// What the app answered while the server could not be asked about it.
    var unverified: SalesforceSettings?
    /// How many failures there were since a call was last accepted, or settings set.
    var failures = 0
    /// The access tokens that have failed since.
    var refused: Set<Secret> = []
    var handlers: SalesforceServiceHandlers
  }
}

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
