internal import Foundation
internal import HTTPTypes
internal import Logging

/// Holds the machine of one session under one lock, and carries its actions out outside it.
///
/// It offers ``step(_:)`` and a snapshot. What needs the authenticator, or decoding, is done before an input. Events leave
/// in the order of the inputs.
final class SessionDriver: Sendable {
  typealias Known = KnownSession<PreparedSession>
  typealias Machine = SessionMachine<PreparedSession>
  typealias Action = SessionAction<PreparedSession>
  typealias Input = SessionInput<PreparedSession>

  let authenticator: any Authenticator
  /// The authenticator, where its sessions go on by being used.
  let sliding: (any AuthenticatorWithSlidingSession)?
  let transport: any Transport
  let store: any SessionStore
  let key: SessionKey
  let configuration: SessionConfiguration
  let credentials: CredentialSource
  let clock: any SessionClock
  let logger: Logger
  let log: EventRelay<SessionEvent>
  let host: String?
  private let guarded: Locked<Guarded>

  /// What the lock guards: the machine, and what its actions need that the machine does not look into.
  struct Guarded: Sendable {
    /// Only ``SessionDriver/step(_:if:)`` changes it.
    fileprivate(set) var machine: Machine
    var snapshot: SessionSnapshot
    /// The actions of steps that have not been performed yet, and whether a thread performs them.
    var decided: [[Action]] = []
    var isPerforming = false
    /// Those who wait, by the number that the machine knows them by.
    var callers: [UInt64: SharedWork<Known?>] = [:]
    var signOuts: [UInt64: SharedWork<SignOutReport>] = [:]
    /// Those of them that ask the server afterwards.
    var confirmingSignOuts: Set<UInt64> = []
    var lastCaller: UInt64 = 0
    /// What callers have handed over.
    var orders: [UInt64: Order] = [:]
    /// The credential that the app gave when it was asked.
    var given: Credential?
    /// The credential given up front.
    var credential: Credential?
    /// What the server gave, until it is a session.
    var grant: KeptGrant?
    var timers: [SessionTimer: (number: UInt64, task: Task<Void, Never>)] = [:]
    var lastTimer: UInt64 = 0
    /// The exclusive access to the store that is held.
    var held: HeldAccess?
    /// The question to a person under way, or the exchange.
    var question: Question?
    /// The question that the app was asked last, which may go on after it was cancelled.
    var lastAsked: Task<Void, Never>?
    /// Ends sessions at the server that the store or the server itself showed late.
    var lateEnd: Task<Void, Never>?
    /// Waits for exchanges that were given up and that the server has not answered.
    var lateExchange: Task<Void, Never>?
    /// When the session was last used.
    var use = SessionUse()
  }

  /// What a person, the app or the server is asked, until the work goes on or ends.
  struct Question: Sendable {
    let task: Task<Void, Never>
    /// What carries it, where the server is asked.
    var exchange: ExchangeTransport?
  }

  /// What a caller hands to the work.
  struct Order: Sendable {
    var credential: Credential?
    /// What the server gave for a credential elsewhere.
    var grant: SessionGrant?
    /// The challenge that made it necessary, until it is answered.
    var challenge: Challenge?
    /// Where the challenge was met, if asking there again has no effect.
    let challengedAddress: URL?

    init(credential: Credential? = nil, grant: SessionGrant? = nil, challenge: Challenge? = nil) {
      self.credential = credential
      self.grant = grant
      self.challenge = challenge
      challengedAddress = challenge.flatMap {
        $0.original.head.method.isSafe ? $0.original.head.targetURL : nil
      }
    }
  }

  /// What the server gave, and for what.
  struct KeptGrant: Sendable {
    var grant: SessionGrant
    let moment: Moment
    let credential: Credential?
  }

  init(
    authenticator: any Authenticator, transport: any Transport, store: any SessionStore, key: SessionKey,
    configuration: SessionConfiguration, credentials: CredentialSource, clock: any SessionClock, logger: Logger,
    log: EventRelay<SessionEvent>, host: String?
  ) {
    self.authenticator = authenticator
    let sliding = authenticator as? any AuthenticatorWithSlidingSession
    self.sliding = sliding?.slides == true ? sliding : nil
    self.transport = transport
    self.store = store
    self.key = key
    self.configuration = configuration
    self.credentials = credentials
    self.clock = clock
    self.logger = logger
    self.log = log
    self.host = host
    var settings = SessionSettings(configuration, credentials)
    settings.accessCanBeLost = store.exclusiveAccessCanBeLost
    if settings.accessCanBeLost { settings.process = .own }
    let machine = Machine(settings: settings)
    var initial = Guarded(machine: machine, snapshot: SessionSnapshot(machine))
    if case .upFront(let credential) = credentials { initial.credential = credential }
    guarded = Locked(initial)
  }

  var snapshot: SessionSnapshot { guarded.withLock { $0.snapshot } }

  /// Reads or changes what the driver keeps beside the machine.
  func withKept<Result: Sendable>(_ body: (inout Guarded) -> Result) -> Result { guarded.withLock { body(&$0) } }

  /// Notes that a session has been shown to its server.
  /// - Returns: whether the store has to learn of it.
  func noteUse(of version: ProofVersion, at now: Date, every interval: TimeInterval) -> Bool {
    guarded.withLock { kept in
      guard let issuedAt = kept.snapshot.issuedAt(of: version.lineage) else { return false }
      kept.use.last = now
      return kept.use.isOwed(at: now, every: interval, since: issuedAt) && kept.machine.writing == .clean
    }
  }

  /// Waits until the server knows that sessions have ended which the store or the server itself showed late.
  func endedLate() async {
    await guarded.withLock { $0.lateExchange.take() }?.value
    await guarded.withLock { $0.lateEnd.take() }?.value
  }

  // MARK: Steps

  /// Takes an input in and carries out what follows.
  func step(_ input: Input) { step(input) { _ in true } }

  /// Takes an input in if `prepare`, under the same lock, says that it is still wanted.
  /// - Returns: whether it was.
  @discardableResult
  func step(_ input: Input, if prepare: (inout Guarded) -> Bool) -> Bool {
    let moment = clock.moment
    let isWanted = guarded.withLock { guarded -> Bool in
      guard prepare(&guarded) else { return false }
      let isRenewal = guarded.machine.work.isRenewal
      let actions = guarded.machine.step(input, at: moment, jitter: Double.random(in: 0.5...1))
      guarded.snapshot = SessionSnapshot(guarded.machine)
      for case .tell(let kind, let cause, let known, let detail) in actions {
        record(
          kind, cause, known?.prepared.session, detail, at: moment.wall,
          isRenewal: kind == .failed && cause != .declined ? isRenewal : nil)
      }
      guarded.decided.append(actions)
      return true
    }
    performDecided()
    return isWanted
  }

  /// Records an event; under the lock, so that the events stand in the order of the inputs.
  /// - Parameter isRenewal: of a failure, whether it was a renewal's.
  func record(
    _ kind: SessionEvent.Kind, _ cause: Cause, _ session: Session?, _ detail: String?, at date: Date,
    isRenewal: Bool? = nil
  ) {
    log.record { number in
      SessionEvent(
        number: number, date: date, kind: kind, cause: cause, user: session?.user.id, host: host,
        version: session?.version, detail: detail, isRenewal: isRenewal)
    }
  }

  /// Performs what has been decided, in the order in which it was: one thread at a time, and who comes meanwhile leaves its
  /// actions to that one.
  private func performDecided() {
    while true {
      let actions = guarded.withLock { guarded -> [Action]? in
        guard !guarded.isPerforming, !guarded.decided.isEmpty else { return nil }
        guarded.isPerforming = true
        return guarded.decided.removeFirst()
      }
      guard let actions else { return }
      for action in actions { perform(action) }
      guarded.withLock { $0.isPerforming = false }
      // Waiters wake last: what they see next must have happened, and have been told. Another thread may be telling it.
      log.deliver { self.answer(actions) }
    }
  }

  /// Wakes those whose answers are among what was decided.
  private func answer(_ actions: [Action]) {
    for action in actions {
      switch action {
      case .wake(let caller, let result):
        let waiter = guarded.withLock { $0.callers.removeValue(forKey: caller) }
        waiter?.finish(result.mapError { $0 })
      case .finishSignOut(let callers, let sessions, let error): finishSignOut(callers, sessions, error)
      default: break
      }
    }
  }

  /// Waits until everything that has happened by now has been told to the observers.
  func told() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      log.deliver { continuation.resume() }
    }
  }

  /// Asks for something and waits for the answer. Cancelling the caller's task ends its waiting and nothing else.
  @discardableResult
  func ask(_ order: Order = Order(), _ input: (UInt64) -> Input) async throws -> Known? {
    let work = SharedWork<Known?>()
    let caller = guarded.withLock { guarded in
      guarded.lastCaller &+= 1
      guarded.callers[guarded.lastCaller] = work
      guarded.orders[guarded.lastCaller] = order
      return guarded.lastCaller
    }
    step(input(caller))
    do {
      let known = try await work.value()
      forget(caller)
      return known
    } catch {
      // First, or a sign-in that waits its turn could begin without its credential.
      if error is CancellationError { step(.left(caller: caller)) }
      forget(caller)
      throw error
    }
  }

  private func forget(_ caller: UInt64) {
    guarded.withLock { guarded in
      guarded.callers[caller] = nil
      // The work goes on with what its first caller handed over.
      if guarded.machine.work.job?.owner != caller { guarded.orders[caller] = nil }
    }
  }

  /// Joins the shared work, or starts it, and waits until it has what is needed.
  @discardableResult
  func need(_ need: Need, _ order: Order = Order()) async throws -> Known? {
    let stamp = store.stamp(of: key)
    return try await ask(order) { .needed(need, caller: $0, stamp: stamp) }
  }

  /// Whether the driver keeps what this order hands over, or what the server has given for its credential, and the server
  /// has not told the user yet.
  func keepsGrant(for order: Order) -> Bool {
    guard let kept = withKept({ $0.machine.hasGrant ? $0.grant : nil }) else { return false }
    if let grant = order.grant { return grant.proof == kept.grant.proof }
    return switch (kept.credential, order.credential) {
    case (.password(let name, let password)?, .password(let otherName, let otherPassword)?):
      name == otherName && password == otherPassword
    case (.proof(let proof)?, .proof(let other)?): proof == other
    default: false
    }
  }

  /// Notes that the app begins to sign out.
  /// - Returns: the sign-in that it is about; `nil` when none is known here.
  func beginSignOut() -> UUID? {
    var lineage: UUID?
    step(.signingOut) { guarded in
      lineage = guarded.machine.signOut?.lineage ?? guarded.machine.session.changeable?.lineage
      return true
    }
    return lineage
  }

  /// Signs out, and waits until the store and the server have been told, or could not be in time.
  func signOut(confirming: Bool) async -> SignOutReport {
    let work = SharedWork<SignOutReport>()
    let caller = guarded.withLock { guarded in
      guarded.lastCaller &+= 1
      guarded.signOuts[guarded.lastCaller] = work
      if confirming { guarded.confirmingSignOuts.insert(guarded.lastCaller) }
      return guarded.lastCaller
    }
    step(.signedOutHere(caller: caller))
    // Cancelling the caller's task does not stop the work, and the report is worth waiting for.
    let report = Task.detached { try? await work.value() }
    return await report.value ?? SignOutReport()
  }

  // MARK: Contexts

  func context(for transport: LayerTransport) -> AuthenticationContext {
    AuthenticationContext(transport: transport, clock: clock, logger: logger)
  }

  func layer(endsSession: Bool = false) -> LayerTransport { LayerTransport(inner: transport, endsSession: endsSession) }

  /// Gives every error the type that callers expect.
  static func wrap(_ error: any Error) -> OstiaryError {
    if let error = error as? OstiaryError { return error }
    if error is CancellationError { return OstiaryError(.cancelled, "The work was cancelled.") }
    return OstiaryError(.internalError, "Something failed that should not: \(type(of: error)).", underlying: error)
  }

  // MARK: Preparing

  /// Makes a session ready for use. Asks the authenticator, so not under the lock.
  /// - Parameter sameSince: since which version the proof is the same, but for its parts.
  func prepare(
    _ session: Session, issuedUptime: Uptime?, begun: Moment?, isAccepted: Bool = false,
    sameSince: ProofVersion? = nil
  ) -> Known {
    let lifetime = session.expiresAt.map { $0.timeIntervalSince(session.issuedAt) }
    return Known(
      prepared: PreparedSession(
        session, attachment: authenticator.attachment(for: session), sameSince: sameSince),
      version: session.version, user: session.user,
      digest: ProofDigest(session.proof, of: session.version.lineage, isProof: authenticator.isProof),
      tokens: ProofDigest(Proof(tokens: session.proof.tokens), of: session.version.lineage, isProof: { _ in false }),
      issued: Moment(wall: session.issuedAt, uptime: issuedUptime), begun: begun, lifetime: lifetime,
      margin: configuration.expiryMargin.seconds, isAccepted: isAccepted)
  }
}

extension SessionSettings {
  init(_ configuration: SessionConfiguration, _ credentials: CredentialSource) {
    switch credentials {
    case .manual: source = .manual
    case .upFront: source = .upFront
    case .onRequest: source = .onRequest
    case .byHandler: source = .handler
    }
    retry = configuration.retry
    storePatience = configuration.storePatience
    patience = configuration.patience
    signInPatience = configuration.signInPatience
    writeDelay = configuration.writeDelay
    maximumFreshRejections = configuration.maximumFreshRejections
    maximumCredentialAttempts = configuration.maximumCredentialAttempts
    // The claim is written again for each attempt. An attempt takes a request's time-out, a save that is tried again, and
    // as much again on a slow machine.
    claimBound = TransportRequest.defaultTimeout.seconds * 2 + configuration.retry.longestInline.seconds
  }
}
