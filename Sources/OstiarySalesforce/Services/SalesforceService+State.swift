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
    /// Who it is, by the server's word when it accepted the settings; `nil` before.
    let verified: SalesforceUserIdentity?

    init(_ settings: SalesforceSettings, _ connection: SalesforceConnection, verified: SalesforceUserIdentity? = nil) {
      self.settings = settings
      self.connection = connection
      self.verified = verified
    }

    /// The same, known by the server's word.
    func verified(by session: Session) -> User {
      User(settings, connection, verified: SalesforceUserIdentity(session.user))
    }
  }

  /// In whose name a call is made: a user whom the server has named, or only a session.
  struct Owner: Sendable {
    let connection: SalesforceConnection
    let identity: SalesforceUserIdentity?

    /// The user of the present moment.
    init(_ user: User) {
      connection = user.connection
      identity = user.connection.identity ?? user.verified
    }

    /// The user of a session that is about to be used.
    init(_ user: User, _ session: Session) {
      connection = user.connection
      identity = SalesforceUserIdentity(session.user)
    }

    /// Whether what was begun for this user may go on for another. A user who is not known is only the one of the same
    /// session.
    func mayGoOn(as other: Owner) -> Bool {
      identity.map { $0 == other.identity } ?? (connection === other.connection)
    }
  }

  /// Whom a call is about. It is captured when the call is made, and travels with it.
  enum Claim: Sendable {
    case user(User, Owner)
    case guest(SalesforceSettings?)
    /// What comes of a change, for calls of this user if they are one's already.
    case outcome(of: Change, for: Owner?)
  }

  /// A question to the app, or settings that are being verified.
  final class Change: Sendable {
    /// What took its place before it had an outcome.
    enum Replacement: Sendable {
      case settings(Change)
      case guest(SalesforceSettings)
      case signOut
    }

    let work = SharedWork<Holder>()
    /// Whose settings are being verified; `nil` for a question.
    let user: User?
    let replacement = Locked<Replacement?>(nil)

    init(_ user: User?) { self.user = user }

    var isQuestion: Bool { user == nil }

    /// Ends it. The lock of the service is held, so that what comes next is known to all that wait.
    func replace(by replacement: Replacement) { self.replacement.withLock { $0 = replacement } }
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
    /// The org's records of this device that could not be removed when their user's session was given up.
    var owedRegistrations: [SalesforceUserIdentity: [String]] = [:]
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
