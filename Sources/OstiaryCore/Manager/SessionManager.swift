internal import Foundation
internal import HTTPTypes
public import Logging

/// Owns the life of one session: restores it, attaches it, renews it, asks for a credential when one is needed, ends it.
///
/// Everything that must happen once happens here. However many tasks need a session at the same moment, one sign-in or
/// renewal runs, and it belongs to none of them: cancelling one caller disturbs no other. A new proof is in the store
/// before any caller sees it. Only a definite word from the server ends a session; a network that is down, a server that
/// fails or a store that is locked never do. Every change of state is an event with a cause, and ``history`` answers
/// "why was I signed out?".
///
/// Reading ``current`` and attaching proof take a lock for some nanoseconds; nothing hops to an actor.
public final class SessionManager: Sendable {
  /// Knows the server.
  public let authenticator: any Authenticator
  /// Sends the authenticator's requests, and the app's through ``AuthenticatedTransport``.
  public let transport: any Transport
  /// Where the session rests.
  public let store: any SessionStore
  /// The name it rests under.
  public let key: SessionKey
  /// The choices made.
  public let configuration: SessionConfiguration

  let clock: any SessionClock
  let logger: Logger
  let credentials: CredentialSource
  let state: Locked<ManagerState>
  let log: EventRelay<SessionEvent>
  /// Lets one change of cookies be written at a time.
  let cookieLane = SerialLane()
  let home: Origin?
  let homes: [Origin]
  /// In seconds.
  let lastUseInterval: TimeInterval

  /// Makes a manager. Nothing is read or sent until something needs it.
  /// - Parameters:
  ///   - authenticator: knows the server.
  ///   - transport: the way to it.
  ///   - credentials: where a credential comes from when a request needs one.
  ///   - store: where the session rests; by default in memory only.
  ///   - key: its name there; by default the kind and address of the server.
  ///   - configuration: choices.
  ///   - clock: tells the time.
  ///   - logger: gets one line an event.
  public init(
    authenticator: any Authenticator,
    transport: any Transport,
    credentials: CredentialSource = .manual,
    store: any SessionStore = EphemeralStore(),
    key: SessionKey? = nil,
    configuration: SessionConfiguration = SessionConfiguration(),
    clock: any SessionClock = .system,
    logger: Logger = Logger(label: "ostiary.session")
  ) {
    self.authenticator = authenticator
    self.transport = transport
    self.credentials = credentials
    self.store = store
    home = Origin(authenticator.server)
    homes = authenticator.origins
    // Without user information and query, which may be secret.
    let address = (home?.description ?? "") + authenticator.server.path(percentEncoded: true)
    self.key = key ?? SessionKey("\(authenticator.kind) \(address)")
    self.configuration = configuration
    lastUseInterval = configuration.lastUseInterval?.seconds ?? .infinity
    self.clock = clock
    self.logger = logger
    log = EventRelay(remembering: max(1, configuration.historyLength))
    _ = log.observe { event in Self.write(event, to: logger) }
    var initial = ManagerState()
    if case .upFront(let credential) = credentials { initial.credential = credential }
    state = Locked(initial)
  }

  // MARK: Looking

  /// The session as far as is known here, without asking anybody. `nil` before the store has been read.
  public var current: Session? { state.withLock { $0.warm }?.session }

  /// Whether somebody is signed in, as far as is known here, without asking anybody.
  public var status: SessionStatus {
    state.withLock { state in
      switch state.phase {
      case .unread:
        .unknown(OstiaryError(.notRestoredYet, "The stored session has not been read yet."))
      case .unreadable(let error): .unknown(error)
      case .signedIn(let warm): .signedIn(warm.session)
      case .rejected(_, let error):
        .unknown(
          error ?? OstiaryError(.renewalUnderWay, "The server refused the session; it is being renewed."))
      case .signedOut(let cause): .signedOut(cause)
      }
    }
  }

  /// The last events, oldest first.
  public var history: [SessionEvent] { log.recent }

  /// The answer to "why was I signed out?": the last time a session ended, if one has.
  public var lastSignOut: SessionEvent? { log.recent.last { $0.kind == .signedOut } }

  /// Calls `observer` for every event from now on: once each, in order, on whatever thread the event happened.
  /// - Returns: a function that ends it.
  @discardableResult
  public func onEvent(_ observer: @escaping @Sendable (SessionEvent) -> Void) -> @Sendable () -> Void {
    log.observe(observer)
  }

  /// The events from now on, until the manager is gone. Whoever falls more than a thousand behind misses the oldest of them; their numbers tell.
  public func events() -> AsyncStream<SessionEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1_000)) { continuation in
      let feed = EventFeed(continuation)
      let cancel = log.observe { feed.send($0) }
      continuation.onTermination = { _ in cancel() }
    }
  }

  // MARK: Asking for a session

  /// Reads the store if that has not happened yet, and says what is known. Never signs in.
  public func restore() async -> SessionStatus {
    let needed = state.withLock { state in
      switch state.phase {
      case .unread, .unreadable: true
      default: false
      }
    }
    if needed { _ = try? await join(.restore) }
    return status
  }

  /// A session that is good now: the known one, a restored, a renewed, or a new one by the credential source.
  /// - Throws: ``OstiaryError``; `interactionRequired` when only the user can help.
  public func session() async throws -> Session {
    let warm = try await warmSession(.ensure(.requestedByApp))
    noteUse(of: warm.version)
    return warm.session
  }

  /// Signs in with a credential.
  /// - Throws: ``OstiaryError``; `alreadySignedIn` when there is a session, whoever's it is: sign out first.
  @discardableResult
  public func signIn(with credential: Credential) async throws -> Session {
    while true {
      try Task.checkCancellation()
      let (flight, isMine) = try state.withLock { state throws -> (Flight, Bool) in
        if let flight = state.flight { return (flight, false) }
        if let warm = state.warm, warm.isFresh(at: clock) { throw Self.alreadySignedIn(warm.session) }
        // Our own back-off is no reason to keep a person waiting; what the server asked for is, unless it was about one
        // account, for that may be another's password.
        if let error = pause(state, ifServerAsked: true), error.code != .accountLocked { throw error }
        return (startFlight(.signIn(credential), &state), true)
      }
      if isMine {
        try await flight.wait()
        // By now somebody may have signed out, and somebody else in.
        guard let session = flight.granted.withLock({ $0 }),
          state.withLock({ $0.session })?.version.lineage == session.version.lineage
        else { throw Self.signedOutMeanwhile }
        return session
      }
      do { try await flight.wait() } catch is CancellationError { throw CancellationError() } catch {}
    }
  }

  /// Asks the server whether the session is still good. Never signs in; a session that the server says is over is
  /// renewed if that takes no credential, and otherwise ended.
  /// - Returns: the status after asking. ``SessionStatus/unknown(_:)`` when the server could not be asked.
  public func verify() async -> SessionStatus {
    let restored = await restore()
    guard let warm = state.withLock({ $0.warm }) else {
      guard state.withLock({ $0.session }) != nil else { return restored }
      // The server has refused it already and could not be asked for a newer one.
      try? await join(.renew)
      return status
    }
    do {
      switch try await authenticator.verify(warm.session, in: context) {
      case .valid(let attributes):
        noteAccepted(warm)
        noteUse(of: warm.version)
        if let attributes { await replaceAttributes(attributes, of: warm.version) }
      case .invalid(let reason):
        noteRejected(warm.version, reason: reason)
        try await join(.renew)
      }
      return status
    } catch {
      if state.withLock({ $0.warm?.version }) == warm.version { return .unknown(Self.wrap(error)) }
      return status
    }
  }

  // MARK: Inside

  var context: AuthenticationContext {
    AuthenticationContext(transport: LayerTransport(inner: transport), clock: clock, logger: logger)
  }

  /// A context for ending a session: layers below ask no person to sign in for that.
  var farewell: AuthenticationContext {
    AuthenticationContext(transport: LayerTransport(inner: transport, isFarewell: true), clock: clock, logger: logger)
  }

  /// A context that knows what a sign-in is for.
  func context(for flight: Flight, replacing previous: Session?) -> AuthenticationContext {
    AuthenticationContext(
      transport: LayerTransport(inner: transport), clock: clock, logger: logger, challenge: flight.takeChallenge(),
      previous: previous, challengedAddress: flight.challengedAddress)
  }

  static func alreadySignedIn(_ session: Session) -> OstiaryError {
    OstiaryError(.alreadySignedIn, "\(session.user.id) is signed in.", requestMayHaveExecuted: false)
  }

  static var signedOutMeanwhile: OstiaryError {
    OstiaryError(.signedOut, "The session was ended while this was under way.", requestMayHaveExecuted: false)
  }

  private static func write(_ event: SessionEvent, to logger: Logger) {
    // A library is quiet unless something happened that nobody asked for.
    let isUnasked = (event.kind == .signedOut && event.cause != .requestedByApp) || event.kind == .writeDelayed
    logger.log(
      level: isUnasked ? .notice : .debug, "\(event.kind)",
      metadata: ["cause": "\(event.cause)", "host": "\(event.host ?? "")", "detail": "\(event.detail ?? "")"])
  }

  /// Gives every error the type that callers expect.
  static func wrap(_ error: any Error) -> OstiaryError {
    if let error = error as? OstiaryError { return error }
    if error is CancellationError {
      return OstiaryError(.signedOut, "The work was cancelled.", disposition: .transient(retryAfter: nil))
    }
    return OstiaryError(.internalError, "Something failed that should not: \(type(of: error)).", underlying: error)
  }
}

extension SessionManager: CustomStringConvertible, CustomReflectable {
  /// Whose session this is with which server.
  public var description: String {
    "SessionManager(\(authenticator.kind) at \(home?.description ?? "?"), \(current.map { $0.user.id } ?? "nobody"))"
  }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .class) }
}
