package import Foundation
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
  package let configuration: SessionConfiguration

  let driver: SessionDriver
  /// Asks the user for a stronger sign-in where a server wants one.
  let stepUps: StepUpDriver
  /// What servers have said of parts of the proof.
  let parts = Locked(PartMemory())
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
    self.store = store
    home = Origin(authenticator.server)
    homes = authenticator.origins
    // Without user information and query, which may be secret.
    let address = (home?.description ?? "") + authenticator.server.path(percentEncoded: true)
    self.key = key ?? SessionKey("\(authenticator.kind) \(address)")
    self.configuration = configuration
    lastUseInterval = configuration.lastUseInterval?.seconds ?? .infinity
    let log = EventRelay<SessionEvent>(remembering: max(1, configuration.historyLength))
    _ = log.observe { event in Self.write(event, to: logger) }
    driver = SessionDriver(
      authenticator: authenticator, transport: transport, store: store, key: self.key, configuration: configuration,
      credentials: credentials, clock: clock, logger: logger, log: log, host: home?.host)
    stepUps = StepUpDriver(driver)
  }

  // MARK: Looking

  /// The session as far as is known here, without asking the store or the server. `nil` before the store has been read.
  public var current: Session? { driver.snapshot.prepared?.session }

  /// Whether a user is signed in, as far as is known here, without asking the store or the server.
  public var status: SessionStatus {
    switch driver.snapshot.state {
    case .unread: .unknown(OstiaryError(.notRestoredYet, "The stored session has not been read yet."))
    case .unreadable(let error): .unknown(error)
    case .signedIn(let known): .signedIn(known.prepared.session)
    case .refused(_, let error):
      .unknown(error ?? OstiaryError(.renewalUnderWay, "The server refused the session; it is being renewed."))
    case .signedOut(let cause, _): .signedOut(cause)
    }
  }

  /// The last events, oldest first.
  public var history: [SessionEvent] { driver.log.recent }

  /// The answer to "why was I signed out?": the last time a session ended, if one has.
  public var lastSignOut: SessionEvent? { driver.log.recent.last { $0.kind == .signedOut } }

  /// Calls `observer` for every event from now on: once each, in order, on the thread on which the event happened, or on one that is
  /// telling of an earlier event. A call that the event answers returns when the observers have been told.
  /// - Returns: a function that ends it.
  @discardableResult
  public func onEvent(_ observer: @escaping @Sendable (SessionEvent) -> Void) -> @Sendable () -> Void {
    driver.log.observe(observer)
  }

  /// The events from now on, until the manager is gone. A reader that falls more than a thousand behind misses the oldest of them; their numbers tell.
  public func events() -> AsyncStream<SessionEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1_000)) { continuation in
      let feed = EventFeed(continuation)
      let cancel = driver.log.observe { feed.send($0) }
      continuation.onTermination = { _ in cancel() }
    }
  }

  // MARK: Asking for a session

  /// Reads the store if that has not happened yet, and says what is known. Never signs in.
  public func restore() async -> SessionStatus {
    if driver.snapshot.state.isUnread { _ = try? await driver.need(.restore) }
    return status
  }

  /// A session that is good now: the known one, a restored, a renewed, or a new one by the credential source.
  /// - Throws: ``OstiaryError``; `interactionRequired` when only the user can help.
  public func session() async throws -> Session {
    let known = try await usable(.ensure(.requestedByApp, failures: nil))
    noteUse(of: known.version)
    return known.prepared.session
  }

  /// Signs in with a credential.
  /// - Throws: ``OstiaryError``; `alreadySignedIn` when there is a session, of this or another user: sign out first.
  @discardableResult
  public func signIn(with credential: Credential) async throws -> Session {
    try await signIn(SessionDriver.Order(credential: credential), byHandler: credential.isByHandler)
  }

  /// Signs in with what the server has given already: an authenticator was asked before there was a manager, because the
  /// user's name decides where the session rests, or the grant came from another program.
  ///
  /// It is a sign-in like any other. The server is asked for the user where the grant says so
  /// (``SessionGrant/needsIdentification``), and the session is in the store before a caller or an event sees it.
  /// - Throws: ``OstiaryError``; `alreadySignedIn` when there is a session, of any user: sign out first. An error that may
  ///   pass has not used the grant up: sign in with it again. With `signedOut` the grant was ended at the server where the
  ///   manager had it already.
  @discardableResult
  public func signIn(with grant: SessionGrant) async throws -> Session {
    try await signIn(SessionDriver.Order(grant: grant), byHandler: false)
  }

  private func signIn(_ order: SessionDriver.Order, byHandler: Bool) async throws -> Session {
    try Task.checkCancellation()
    let granted = try await driver.need(.signIn(byHandler: byHandler), order)
    // By now the user may have signed out, and another user in.
    guard let granted, driver.snapshot.state.known?.lineage == granted.lineage else { throw Self.signedOutMeanwhile }
    return granted.prepared.session
  }

  /// Asks the server whether the session is still good. Never signs in; a session that the server says is over is
  /// renewed if that takes no credential, and otherwise ended.
  /// - Returns: the status after asking. ``SessionStatus/unknown(_:)`` when the server could not be asked.
  public func verify() async -> SessionStatus {
    let restored = await restore()
    guard let known = driver.snapshot.usable else {
      guard driver.snapshot.state.known != nil else { return restored }
      // The server has refused it already and could not be asked for a newer one.
      _ = try? await driver.need(.renew)
      return status
    }
    do {
      switch try await driver.verify(known) {
      case .valid(let attributes):
        noteAccepted(known)
        noteUse(of: known.version)
        if let attributes { await driver.replaceAttributes(attributes, of: known.version) }
      case .invalid(let reason):
        driver.step(.refused(known.version, reason: reason))
        try await driver.need(.renew)
      }
      return status
    } catch {
      if driver.snapshot.usable?.version == known.version { return .unknown(SessionDriver.wrap(error)) }
      return status
    }
  }

  /// Ends a sign-in under way that waits for a person, also when a challenge handler never ends: who waits for it gets
  /// ``OstiaryError`` `interactionCancelled`. A renewal goes on, for what the server gives is never dropped. A session stays
  /// as it was.
  /// - Returns: whether there was one.
  @discardableResult
  public func cancelSignIn() -> Bool {
    let error = OstiaryError(.interactionCancelled, "The sign-in was cancelled.", requestMayHaveExecuted: false)
    let isWithdrawn = stepUps.decline(error)
    return driver.step(.cancelled(error, .declined)) { $0.machine.canBeCancelled } || isWithdrawn
  }

  /// Ends the session: here at once and in every case, in the store, and at the server.
  ///
  /// A sign-in or renewal under way is abandoned; who waits for it gets ``OstiaryError`` `signedOut`. What the server still gives
  /// to it within ``SessionConfiguration/patience`` is ended there; ``flush()`` waits for that. What the store holds
  /// is ended, also when it was never read here; a sign-in that another process begins later is not. Cancelling the caller's task does not stop the work. It returns when
  /// nothing can bring the session back, or after ``SessionConfiguration/storePatience``, with what is still owed in the
  /// report; that is finished later.
  /// - Parameter confirming: Whether the server is asked afterwards whether the session is over there, for
  ///   ``SignOutReport/confirmation``. It costs a request.
  /// - Returns: what the server and the store said. The session is over here in any case.
  @discardableResult
  public func signOut(confirming: Bool = false) async -> SignOutReport {
    stepUps.signOut()
    return await driver.signOut(confirming: confirming)
  }

  /// Says whom a sign-out is about that takes steps before ``signOut(confirming:)``: the session that there is now, or, where none is known
  /// here, what is stored now. A sign-in of the same user that is made meanwhile elsewhere, by another manager or process, is
  /// neither used by this manager nor ended. The manager is of no use for another sign-in after that.
  /// - Returns: the sign-in that it is about; `nil` when none is known here.
  @discardableResult
  package func beginSignOut() -> UUID? { driver.beginSignOut() }

  /// Waits until everything known here is in the store, with what the server gives to a renewal under way, and until what it gives
  /// to a sign-in that was given up is ended there, and until observers have been told. Call it before a program ends. A sign-in
  /// that waits for a person is not waited for.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when the store can't be written now.
  public func flush() async throws {
    try await driver.ask { .flush(caller: $0) }
    await driver.endedLate()
    await driver.told()
  }

  // MARK: Inside

  /// A session that is good now, by any means that the need allows.
  func usable(_ need: Need, _ order: SessionDriver.Order = .init()) async throws -> SessionDriver.Known {
    // Every turn either returns, throws or waits for work to end, and work that ends well leaves a session. The bound
    // catches a server whose sessions are over as soon as they begin.
    try await lookAgain()
    for turn in 0...configuration.maximumFreshRejections + 1 {
      try Task.checkCancellation()
      if let known = driver.snapshot.usable, known.isFresh(at: driver.clock.moment) { return known }
      if turn <= configuration.maximumFreshRejections { try await driver.need(need, order) }
    }
    throw OstiaryError(.challengedAgain, "The server keeps ending the sessions that it gives.")
  }

  /// Sees whether another process has changed what is stored, if the store can tell quickly: its sign-out counts before
  /// the proof is used again.
  /// - Throws: ``OstiaryError`` `signedOut` when the session is over, or another user's is there instead.
  func lookAgain() async throws {
    let snapshot = driver.snapshot
    guard snapshot.usable != nil, let stamp = store.stamp(of: key), stamp != snapshot.stamp else { return }
    do {
      try await driver.need(.look)
    } catch let error as OstiaryError where error.code == .signedOut {
      throw error
    } catch {
      // What else came of it shows in the state.
    }
  }

  /// Notes that a session has been shown to its server.
  package func noteUse(of version: ProofVersion) { noteUse(of: version, at: driver.clock.now) }

  /// An input follows only when the use has to be written.
  func noteUse(of version: ProofVersion, at now: Date) {
    if driver.noteUse(of: version, at: now, every: lastUseInterval) { driver.step(.used(version)) }
  }

  func noteAccepted(_ known: SessionDriver.Known) {
    let snapshot = driver.snapshot
    guard let now = snapshot.usable, now.version == known.version, !now.isAccepted || snapshot.owesAcceptance else {
      return
    }
    driver.step(.accepted(known.version))
  }

  static var signedOutMeanwhile: OstiaryError { SessionDriver.Machine.signedOutMeanwhile }

  private static func write(_ event: SessionEvent, to logger: Logger) {
    // A library is quiet unless something happened that the app did not ask for.
    let isUnasked = (event.kind == .signedOut && event.cause != .requestedByApp) || event.kind == .writeDelayed
    logger.log(
      level: isUnasked ? .notice : .debug, "\(event.kind)",
      metadata: ["cause": "\(event.cause)", "host": "\(event.host ?? "")", "detail": "\(event.detail ?? "")"])
  }
}

extension SessionManager: Redacted {
  /// Whose session this is with which server.
  public var description: String {
    "SessionManager(\(authenticator.kind) at \(home?.description ?? "?"), \(current.map { $0.user.id } ?? "nobody"))"
  }
}
