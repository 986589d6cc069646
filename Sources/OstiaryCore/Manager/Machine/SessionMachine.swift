internal import Foundation

/// The life of one session as a value: inputs in, actions out. It has no clock, lock, task or closure; ``SessionDriver``
/// holds it and carries its actions out.
///
/// At most one piece of shared work runs, and at most one store action is under way. Every input is defined in every
/// state; a result whose ticket is not awaited any more is late and changes nothing, save that a grant which comes late is
/// ended at the server.
struct SessionMachine<Prepared: PreparedValue>: Sendable, Hashable {
  typealias Known = KnownSession<Prepared>
  typealias Action = SessionAction<Prepared>
  typealias Input = SessionInput<Prepared>

  let settings: SessionSettings

  // MARK: The four states

  var session: SessionState<Prepared> = .unread
  var work: SessionWork<Prepared> = .idle
  var writing: SessionWriting = .clean
  var pause: SessionPause = .none

  // MARK: What else is known

  /// Who waits for the shared work, and for what.
  var waiters: [Waiter] = []
  /// Who waits for a change of the proof to be written.
  var writeWaiters: [WriteWaiter] = []
  /// Who waits for everything to be written.
  var flushWaiters: [UInt64] = []
  var access: Access = .none
  var operation: Operation?
  /// The ticket of the work's action that is under way, store actions aside.
  var workTicket: Ticket?
  var ending: EndingDebt<Prepared>?
  /// Sign-ins that the user ended here. What the store still holds of them is never believed again.
  var endedLineages: Set<UUID> = []
  /// What the sign-out is about that the app has begun.
  var signOut: SignOutSubject<Prepared>?
  /// Proofs that the server has refused to this process.
  var refusedDigests: Set<ProofDigest> = []
  /// Other sessions of the same sign-in, with cookies that another process was given.
  var alternatives: [Known] = []
  /// Proofs that the server gave before the own one, as far as is known here; they are no alternatives.
  var superseded: [ProofDigest] = []
  /// Why the server last refused a proof. It is only told.
  var lastRefusal: LastRefusal?
  /// Tokens of the sign-in that newer ones have taken the place of. A server may take their return for a theft.
  var usedTokens: [ProofDigest] = []
  /// What the store holds as far as is known here.
  var stored = Stored()
  var stamp: StoreStamp?
  /// Consecutive failures of sign-in or renewal that may pass.
  var failures = 0
  /// Sessions in a row that this process was given and that were refused before being accepted once. Those that another process was
  /// given say nothing of what this one does: each may have been good for a long time before it was shown here.
  var freshRejections = 0
  /// The proof that this process was given last, by a sign-in or a renewal.
  var givenHere: ProofDigest?
  /// Consecutive unclear refusals of a renewal.
  var unclearRefusals = 0
  /// How many sign-ins for requests have failed for good, and why the last one did.
  var failedSignIns = FailedSignIns()
  /// How often a user has signed out, here or in another process. What a later sign-in gives is not for a request of before.
  var signOuts: UInt64 = 0
  /// Whether the credential that was given up front has not been refused.
  var hasCredential: Bool
  /// Whether the driver keeps a grant whose user the server has not told yet.
  var hasGrant = false
  /// A claim of another process, and since when it has been seen unchanged.
  var seenClaim: SeenClaim?
  /// Since when the stored entry, and the claim that may have been in it, has been known to be damaged.
  var damagedSince: Moment?
  var claimNumber: UInt64 = 0
  var lastTicket: UInt64 = 0
  var lastJob: UInt64 = 0

  // MARK: This step's

  var now = Moment(wall: .distantPast)
  /// A random number from 0.5 to 1 that spaces attempts.
  var jitter = 1.0
  var actions: [Action] = []

  struct Waiter: Sendable, Hashable {
    let caller: UInt64
    let need: Need
    /// Whether the work was begun for this caller.
    let isOwner: Bool
  }

  struct WriteWaiter: Sendable, Hashable {
    let caller: UInt64
    let version: ProofVersion
  }

  struct LastRefusal: Sendable, Hashable {
    let lineage: UUID
    let reason: String
  }

  struct FailedSignIns: Sendable, Hashable {
    var count: UInt64 = 0
    var last: OstiaryError?
  }

  struct SeenClaim: Sendable, Hashable {
    let claim: RenewalClaim
    let since: Moment
  }

  /// What the store holds as far as is known.
  struct Stored: Sendable, Hashable {
    var data: Data?
    /// The sign-in that it is of, a session or an ended one.
    var lineage: UUID?
    var isEnded = false
    /// The renewal that a process has begun, this one or another.
    var claim: RenewalClaim?
    /// What it says of renewals that have brought nothing.
    var trail: RenewalTrail?

    var expectation: StoreExpectation { data.map(StoreExpectation.exactly) ?? .nothing }
  }

  enum Access: Sendable, Hashable {
    case none, held
    case claiming(Ticket)
  }

  /// The store action under way.
  struct Operation: Sendable, Hashable {
    let ticket: Ticket
    let kind: Kind
    /// The claim that it writes.
    var claim: RenewalClaim?

    enum Kind: Sendable, Hashable {
      case workRead(UInt64)
      case writingRead
      case endingRead
      case landing(Known, UInt64)
      case mark(Known, UInt64)
      case debt(Known)
      case ended(EndedEntry)
    }
  }

  init(settings: SessionSettings) {
    self.settings = settings
    hasCredential = settings.source == .upFront
  }

  /// Takes one input in.
  /// - Parameter jitter: a random number from 0.5 to 1.
  /// - Returns: what to do, in order.
  mutating func step(_ input: Input, at now: Moment, jitter: Double) -> [Action] {
    self.now = now
    self.jitter = jitter
    handle(input)
    withdrawClaim()
    endNoting()
    pump()
    wakeFlushed()
    defer { actions = [] }
    return actions
  }

  private mutating func handle(_ input: Input) {
    switch input {
    case .needed(let need, let caller, let stamp): needed(need, caller, stamp)
    case .left(let caller): left(caller)
    case .claimed(let ticket): claimed(ticket)
    case .claimFailed(let ticket, let error): claimFailed(ticket, error)
    case .storeRead(let ticket, let content): storeRead(ticket, content)
    case .storeUnavailable(let ticket, let error): storeUnavailable(ticket, error)
    case .written(let ticket, let data, let stamp): written(ticket, data, stamp)
    case .writeFailed(let ticket, let error): writeFailed(ticket, error)
    case .credentialGiven(let ticket): credentialGiven(ticket)
    case .declined(let ticket, let error): declined(ticket, error)
    case .exchanged(let ticket, let isIdentified, let isKept): exchanged(ticket, isIdentified, isKept)
    case .renewed(let ticket, let isUnjudged, let isJudged, let droppedPart):
      renewed(ticket, isUnjudged, isJudged, droppedPart)
    case .notRenewable(let ticket): notRenewable(ticket)
    case .failed(let ticket, let failure): exchangeFailed(ticket, failure)
    case .prepared(let ticket, let known): prepared(ticket, known)
    case .verified(let ticket, let isValid, let reason): verified(ticket, isValid, reason)
    case .verificationFailed(let ticket, _): verificationFailed(ticket)
    case .accepted(let version): accepted(present(version))
    case .refused(let version, let reason): refused(present(version), reason)
    case .lost(let version): lost(present(version))
    case .changed(let known, let base, let isProof, let shown, let waiter):
      changed(known, base, isProof, shown, waiter)
    case .used(let version): used(version)
    case .signingOut: signingOut()
    case .signedOutHere(let caller): signedOutHere(caller)
    case .flush(let caller): flush(caller)
    case .cancelled(let error, let cause): cancelled(error, cause)
    case .timePassed(let timer): timePassed(timer)
    }
  }

  private mutating func timePassed(_ timer: SessionTimer) {
    switch timer {
    case .work: workTimePassed()
    case .writing: if case .waiting(let debt) = writing { writing = .due(debt) }
    case .ending: if ending?.phase == .waiting { ending?.phase = .due }
    case .signOut: signOutTimePassed()
    case .absorbing:
      for waiter in writeWaiters { wake(waiter.caller, .success(nil)) }
      writeWaiters = []
    case .patience:
      cancelled(
        OstiaryError(.signInTimedOut, "The sign-in was not answered in time.", requestMayHaveExecuted: false), .timedOut
      )
    }
  }

  // MARK: Small things

  /// The version that what was shown as this one is known by now: a part that has come since leaves the rest as it was.
  func present(_ shown: ProofVersion) -> ProofVersion {
    guard let known = session.usable, known.isProof(shownAs: shown) else { return shown }
    return known.version
  }

  mutating func ticket() -> Ticket {
    lastTicket &+= 1
    return Ticket(number: lastTicket)
  }

  /// Begins an action of the work whose result comes later.
  mutating func begin(_ job: Job, _ stage: Stage<Prepared>, _ action: (Ticket) -> Action) {
    let ticket = ticket()
    workTicket = ticket
    work = .running(job, stage)
    actions.append(action(ticket))
  }

  mutating func enter(_ job: Job, _ stage: Stage<Prepared>) {
    workTicket = nil
    work = .running(job, stage)
  }

  /// The work, if this ticket is the one that it waits for.
  mutating func take(_ ticket: Ticket) -> (job: Job, stage: Stage<Prepared>)? {
    guard workTicket == ticket, case .running(let job, let stage) = work else { return nil }
    workTicket = nil
    return (job, stage)
  }

  /// Puts another session in the place of the known one, or none: what was known beside that one goes with it.
  mutating func become(
    _ state: SessionState<Prepared>, alternatives: [Known] = [], superseded: [ProofDigest] = []
  ) {
    let before = session.changeable
    session = state
    if before?.lineage != state.changeable?.lineage { usedTokens = [] }
    self.alternatives = alternatives
    self.superseded = superseded
  }

  mutating func wake(_ caller: UInt64, _ result: Result<Known?, OstiaryError>) {
    actions.append(.wake(caller, result))
  }

  mutating func tell(_ kind: SessionEvent.Kind, _ cause: Cause, _ known: Known?, _ detail: String? = nil) {
    actions.append(.tell(kind, cause, known, detail))
  }

  /// How long to wait after failures, in seconds.
  func delay(afterFailures failures: Int, asked: Duration? = nil) -> Duration {
    settings.retry.delay(afterFailures: failures, asked: asked, jitter: jitter)
  }
}

/// What the machine decides by; it doesn't change.
struct SessionSettings: Sendable, Hashable {
  enum Source: Sendable, Hashable { case manual, upFront, onRequest, handler }

  var source = Source.manual
  var retry = RetryPolicy()
  var storePatience = Duration.seconds(15)
  var patience = Duration.seconds(60)
  var signInPatience: Duration?
  var writeDelay = Duration.seconds(2)
  var maximumFreshRejections = 3
  var maximumCredentialAttempts = 3
  /// Names this session manager in claims.
  var writer = UUID()
  /// The process that it runs in.
  var process: ProcessIdentity?
  /// Whether the store's exclusive access can be lost while its holder lives.
  var accessCanBeLost = true
  /// How long this manager's renewal may take, in seconds.
  var claimBound = 90.0
  /// How long a response or a sign-out waits for a store that does not answer.
  var waitForStore: Duration { max(storePatience, .seconds(5)) }
  /// How often to look again when other processes keep changing what is stored.
  var looks = 8
  /// How many superseded proofs are remembered.
  var superseded = 16
}
