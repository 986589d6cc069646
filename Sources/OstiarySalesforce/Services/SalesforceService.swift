public import Logging
public import OstiaryCore

/// One service of an org as an app uses it: by a guest, or by a user whose tokens the app hands over, before anything
/// needs them or when something does.
///
/// - **On demand:** the first ``send(_:)`` or ``authenticate()`` asks the app
///   (``SalesforceServiceHandlers/shouldAuthenticate``), once for all who need a user at the same time.
/// - **Explicitly:** ``set(_:)`` verifies settings with the server and then uses them. It forestalls the question, also
///   one that has been asked and not answered yet. `nil` signs out.
/// - **When a session is over**, a refresh token is tried first, once. Then the app decides
///   (``SalesforceServiceHandlers/authenticationFailed``): to be asked again, and the calls that failed are sent again,
///   or to go on as a guest, and they fail; what was begun in a user's name is never sent in a guest's or another
///   user's. The same failing token handed over again, or a second failure in a row, ends as a guest with an error
///   that says why. A network that is down, or a server that fails, changes nothing.
public final class SalesforceService: Sendable {
  /// Which service it is.
  public let type: SalesforceServiceType
  /// The choices made.
  public let configuration: SalesforceServiceConfiguration

  let network: any Transport
  let clock: any SessionClock
  let logger: Logger
  let state: Locked<State>
  let events = EventRelay<SalesforceServiceEvent>()

  /// Makes a service that no user uses yet. Nothing is sent, and the app is not asked.
  public init(
    _ type: SalesforceServiceType, transport: any Transport,
    handlers: SalesforceServiceHandlers = SalesforceServiceHandlers(),
    configuration: SalesforceServiceConfiguration = SalesforceServiceConfiguration(),
    clock: any SessionClock = .system, logger: Logger = Logger(label: "ostiary.salesforce")
  ) {
    self.type = type
    self.configuration = configuration
    network = transport
    self.clock = clock
    self.logger = logger
    state = Locked(State(handlers: handlers))
  }

  // MARK: Looking

  /// What the app answers. A question that is under way goes on with the handlers it began with.
  public var handlers: SalesforceServiceHandlers {
    get { state.withLock { $0.handlers } }
    set { state.withLock { $0.handlers = newValue } }
  }

  /// How the service is used at the moment.
  public var currentState: SalesforceServiceState { state.withLock { Self.publicState($0) } }

  /// The settings that hold at the moment: those last set or answered that were not refused; `nil` when nothing was set,
  /// after a sign-out, and for guests without settings.
  public var settings: SalesforceSettings? { state.withLock { Self.settings($0.holder) } }

  /// The session of the user; `nil` while a guest uses the service.
  public var connection: SalesforceConnection? {
    state.withLock { if case .user(let user) = $0.holder { user.connection } else { nil } }
  }

  /// Records of this device that the org still has of users who use the service no longer: unregistering failed. The same user's
  /// next settings remove them, as long as the program runs.
  public var owedRegistrations: [SalesforceUserIdentity: [String]] { state.withLock { $0.owedRegistrations } }

  /// Calls `observer` for every change of settings from now on: once each, in order, on the thread on which it
  /// happened.
  /// - Returns: a function that ends it.
  @discardableResult
  public func onEvent(_ observer: @escaping @Sendable (SalesforceServiceEvent) -> Void) -> @Sendable () -> Void {
    events.observe(observer)
  }

  static func publicState(_ state: State) -> SalesforceServiceState {
    switch state.holder {
    case .unset, .lost: state.change == nil ? .unset : .pending
    case .guest(_, let error, _): state.change == nil ? .guest(error) : .pending
    case .user(let user):
      user.connection.identity.map { .authenticated($0) } ?? .pending
    }
  }

  static func settings(_ holder: Holder) -> SalesforceSettings? {
    switch holder {
    case .unset, .lost: nil
    case .guest(let settings, _, _): settings
    case .user(let user): user.settings
    }
  }

  /// Notes a change. The lock is held; `events.deliver()` follows when it is not.
  func note(_ cause: Cause, _ state: State) {
    events.record(
      SalesforceServiceEvent(
        type: type, state: Self.publicState(state), settings: Self.settings(state.holder), cause: cause))
  }

  /// A user for settings, with the session that the settings bring along or one of their own; `nil` for a guest's.
  func user(for settings: SalesforceSettings) throws -> User? {
    if let connection = settings.connection { return User(settings, connection) }
    guard let tokens = settings.tokens else {
      guard settings.isGuest else { throw OstiaryError.salesforceSettingsUnusable() }
      return nil
    }
    let connection = try SalesforceConnection(
      tokens, transport: network, configuration: configuration.sessions, apiVersion: configuration.apiVersion,
      clock: clock, logger: logger)
    return User(settings, connection)
  }
}

extension SalesforceService: CustomStringConvertible, CustomReflectable {
  /// Which service it is and how it is used.
  public var description: String { "SalesforceService(\(type), \(currentState))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .class) }
}
