public import Foundation
public import Logging
public import OstiaryCore

/// A client of a Newzulu platform, for one user at a time.
///
/// ```swift
/// let client = try NewzuluClient(server: server, apiKey: key, vhost: "206", transport: PlatformTransport())
/// client.setCredentials(email: "ann@example.com", password: password, store: FileStore(folder: folder))
/// let files = try await client.getFiles()         // signs in when it needs to
/// ```
///
/// Calls in the user's name sign in by themselves, once for however many of them there are; when the platform says that the
/// session is over they sign in again and are sent again, once. A stored session is used only for the e-mail address,
/// tenant and platform that it was made for.
public final class NewzuluClient: Sendable {
  struct State: Sendable {
    /// Raised whenever credentials are set or cleared; what began under another number is of no more interest.
    var generation: UInt64 = 0
    var account: NewzuluAccount?
    /// The accounts that were set before and not signed out: calls and uploads of theirs may be under way.
    var earlier: [NewzuluAccount] = []
    var authentication: NewzuluAuthentication?
    /// How many sign-outs of an account are under way, by its name.
    var clearings: [String: Int] = [:]

    mutating func endClearing(_ name: String) {
      let count = clearings[name, default: 0] - 1
      clearings[name] = count > 0 ? count : nil
    }
  }

  /// The platform's address.
  public var server: URL { authenticator.server }
  /// The project's tenant, which media calls are about.
  public var vhost: String { authenticator.vhost }
  /// The names that the server uses.
  public var configuration: NewzuluConfiguration { authenticator.configuration }

  let authenticator: NewzuluAuthenticator
  /// The way to servers, for what carries no session.
  let network: any Transport
  let sessions: SessionConfiguration
  let clock: any SessionClock
  let logger: Logger
  let state: Locked<State>
  let events = EventRelay<SessionEvent>()

  /// Makes a client. Nothing is sent.
  /// - Parameters:
  ///   - server: the platform's address, such as `https://api.filemobile.com`.
  ///   - apiKey: the app's key.
  ///   - vhost: the project's tenant.
  ///   - transport: the way to servers.
  ///   - configuration: the names that the server uses.
  ///   - sessions: how sessions are kept.
  ///   - clock: tells the time.
  ///   - logger: gets one line an event.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidRequest` when the address is not an `http` or `https` URL.
  public init(
    server: URL, apiKey: Secret, vhost: String, transport: any Transport,
    configuration: NewzuluConfiguration = NewzuluConfiguration(),
    sessions: SessionConfiguration = SessionConfiguration(),
    clock: any SessionClock = .system, logger: Logger = Logger(label: "ostiary.newzulu")
  ) throws {
    authenticator = try NewzuluAuthenticator(
      server: server, apiKey: apiKey, vhost: vhost, configuration: configuration)
    network = transport
    self.sessions = sessions
    self.clock = clock
    self.logger = logger
    state = Locked(State())
  }

  init(
    _ authenticator: NewzuluAuthenticator, network: any Transport, sessions: SessionConfiguration,
    clock: any SessionClock,
    logger: Logger, _ account: NewzuluAccount?
  ) {
    (self.authenticator, self.network, self.sessions) = (authenticator, network, sessions)
    (self.clock, self.logger) = (clock, logger)
    state = Locked(State(account: account))
  }

  /// A client for calls of the user who is set at this moment. What is set later does not reach it.
  package var atThisMoment: NewzuluClient {
    NewzuluClient(
      authenticator, network: network, sessions: sessions, clock: clock, logger: logger, state.withLock { $0.account })
  }

  // MARK: Looking

  /// The user's session as far as is known here, without a request; `nil` when no user is fully signed in, and before
  /// the store has been read.
  public var currentSession: Session? { state.withLock { $0.account?.manager }?.current }

  /// The user who is signed in, as far as is known here.
  public var currentUser: NewzuluUser? {
    currentSession.flatMap { NewzuluUser($0, configuration: configuration) }
  }

  /// The present account's last events, oldest first; the answer to "why was I signed out?" among them.
  public var history: [SessionEvent] { state.withLock { $0.account?.manager }?.history ?? [] }

  /// Calls `observer` for every event of this client's sessions from now on, for every user.
  /// - Returns: a function that ends it.
  @discardableResult
  public func onEvent(_ observer: @escaping @Sendable (SessionEvent) -> Void) -> @Sendable () -> Void {
    events.observe(observer)
  }

  /// Where the present account's sessions rest.
  package var sessionStore: (any SessionStore)? { state.withLock { $0.account?.store } }

  /// A session manager for an account.
  func makeManager(
    _ authenticator: NewzuluAuthenticator, _ email: String, _ password: Secret, key: SessionKey, store: any SessionStore
  ) -> SessionManager {
    let manager = makeQuietManager(authenticator, email, password, key: key, store: store)
    manager.onEvent { [weak self] event in
      guard let self else { return }
      events.tell(event)
      // What was owed at the last sign-out is told with the new session.
      if event.kind == .signedIn, let account = state.withLock({ $0.account }), account.key == key {
        settleUploads(of: account)
      }
    }
    return manager
  }

  /// A session manager whose events are not told.
  func makeQuietManager(
    _ authenticator: NewzuluAuthenticator, _ email: String, _ password: Secret, key: SessionKey, store: any SessionStore
  ) -> SessionManager {
    // A call that is redirected has come to the wrong place; a GET elsewhere is no call.
    var sessions = sessions
    sessions.redirects = .none
    return SessionManager(
      authenticator: authenticator, transport: network,
      credentials: .upFront(.password(username: email, password: password)), store: store, key: key,
      configuration: sessions, clock: clock, logger: logger)
  }
}

extension NewzuluClient: CustomStringConvertible, CustomReflectable {
  /// The platform, the tenant, and who is signed in.
  public var description: String {
    "NewzuluClient(\(authenticator.origin), \(vhost), \(currentSession?.user.id ?? "none"))"
  }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .class) }
}
