internal import Foundation

/// What a caller needs of the shared work.
enum Need: Sendable, Hashable {
  /// Read the store, nothing else.
  case restore
  /// See what another process has stored. A store that can't tell now changes nothing.
  case look
  /// Wait for what is under way and read the store if that has not happened; never begin a sign-in.
  case settled
  /// Ask the server whether a proof that it seemed to refuse is over.
  case confirm(ProofVersion)
  /// Get a session without a credential.
  case renew
  /// Get newer tokens than these without a credential, though they may be good for a while yet.
  /// - part: the part of the proof that is wanted (``ProofPart``); `nil` for the others.
  case newer(than: ProofDigest, part: String? = nil)
  /// Get a session by any means that the app allows.
  /// - failures: how many sign-ins had failed for good when the caller's request was sent; `nil` for no request.
  case ensure(Cause, failures: UInt64?)
  /// Sign in with the credential that the caller has handed over.
  /// - byHandler: a challenge handler asks a person.
  case signIn(byHandler: Bool)
  /// Put what the caller hands over, a stronger sign-in of the same user, in the place of this sign-in.
  case replace(UUID)

  var isSignIn: Bool {
    switch self {
    case .signIn, .replace: true
    case .restore, .look, .settled, .confirm, .renew, .newer, .ensure: false
    }
  }

  var needsServer: Bool {
    switch self {
    case .restore, .look, .settled: false
    case .confirm, .renew, .newer, .ensure, .signIn, .replace: true
    }
  }

  /// Whether the success of this work is all that a caller with the other need wants.
  func serves(_ other: Need) -> Bool {
    switch other {
    case .signIn, .replace, .confirm, .settled, .newer: false
    case .restore, .look: true
    case .renew, .ensure: needsServer && !isConfirmation && !isOfPart
    }
  }

  /// Whether a failure of this work is also the failure of a caller with the other need.
  func speaks(for other: Need) -> Bool {
    switch (self, other) {
    case (.newer, .newer): self == other
    case (.look, .look), (.restore, .restore), (.renew, .renew), (.ensure, .ensure), (.ensure, .renew),
      (.ensure, .restore), (.renew, .restore), (.ensure, .settled), (.renew, .settled), (.restore, .settled):
      true
    default: false
    }
  }

  /// Why what is good by its date is renewed.
  var causeOfRenewal: Cause {
    guard case .newer(_, let part) = self else { return .expired }
    return part == nil ? .requestedByApp : .neededByRequest
  }

  /// Whether it is for a part of the proof, and leaves the rest as it is.
  var isOfPart: Bool { if case .newer(_, _?) = self { true } else { false } }

  private var isConfirmation: Bool { if case .confirm = self { true } else { false } }
}

/// The shared work under way; one at a time.
///
/// | Stage | Input | Next stage |
/// |---|---|---|
/// | `reading` | store read | done, `claiming`, `asking` or `exchanging` (handlers) |
/// | `storePause` | time passed | `reading` or `lookingAgain` |
/// | `claiming` | claimed | `lookingAgain` |
/// | `claimPause` | time passed | `claiming` |
/// | `lookingAgain` | store read | done, `marking`, `exchanging` or `identifying` |
/// | `marking` | written | `renewing` |
/// | `renewing` | renewed | `saving` |
/// | `renewing` | refused | `confirming` |
/// | `renewing`, `exchanging`, `identifying` | failed, may pass | `retryPause`, `noting`, or done |
/// | `noting` | written, write failed | done, or `asking` |
/// | `confirming` | store read | done, `asking`, `exchanging` or `ending` |
/// | `verifying` | verified | done |
/// | `asking` | credential given | `claiming` |
/// | `asking` | declined | `ending` |
/// | `exchanging` | exchanged | `identifying` or `saving` |
/// | `identifying` | identified | `saving` |
/// | `saving` | written, write failed | done, or `renewing` of what is not judged yet |
/// | `ending` | ended, or owed | done |
enum SessionWork<Prepared: PreparedValue>: Sendable, Hashable {
  case idle
  case running(Job, Stage<Prepared>)

  var job: Job? { if case .running(let job, _) = self { job } else { nil } }
  /// Whether a renewal is at the server, or on its way to the store.
  var isRenewal: Bool { if case .running(let job, let stage) = self { stage.isRenewal(job) } else { false } }
  var stage: Stage<Prepared>? { if case .running(_, let stage) = self { stage } else { nil } }

  /// Whether the server may have given something for this work that is not in the store yet. A sign-in that waits for a
  /// person or for the server's first answer does not count.
  var mayHaveGiven: Bool {
    guard case .running(let job, let stage) = self else { return false }
    switch stage {
    case .marking, .renewing, .confirming, .identifying, .preparing, .saving: return true
    case .retryPause: return job.task != .exchange
    case .storePause, .claiming, .lookingAgain: return job.task == .grant || job.task == .identification
    case .reading, .unclaimed, .claimPause, .verifying, .asking, .exchanging, .noting, .ending: return false
    }
  }
}

/// One piece of shared work.
struct Job: Sendable, Hashable {
  let id: UInt64
  let need: Need
  /// The caller that it was begun for, whose credential and challenge it uses.
  let owner: UInt64
  /// What it does with exclusive access.
  var task = Task.renewal
  /// The user whose session is renewed.
  var user: String?
  /// Why the session can't be renewed.
  var reason: OstiaryError?
  /// The last refusal of a credential.
  var refusal: OstiaryError?
  /// How often one exchange with the server has failed, and a reading of the store.
  var failures = 0
  var storeFailures = 0
  /// When the store was first found unavailable.
  var waitingSince: Moment?
  /// When a claim of another process was first seen.
  var claimSeenSince: Moment?
  /// How often the store has been looked at because others change it.
  var looks = 0
  /// How many credentials the server has refused.
  var refusals = 0
  /// Whether the app has given a credential.
  var isAnswered = false
  /// Whether the grant that it identifies was given for earlier work.
  var usesKeptGrant = false
  /// What a renewal gave, and this work judges.
  var judgement: Judgement?
  /// Whether what was judged had ended before, so that a renewal followed.
  var renewsAgain = false
  /// Whether a refusal was unclear, so that the old session must be kept with any outcome of asking.
  var keepsSession = false

  /// `grant`: the driver keeps a grant that a handler was given; it has to be written.
  enum Task: Sendable, Hashable { case renewal, exchange, identification, grant }

  /// Tokens that are written and not judged, and why they were asked for.
  struct Judgement: Sendable, Hashable {
    let tokens: ProofDigest
    let cause: Cause
  }

  init(id: UInt64, need: Need, owner: UInt64) {
    self.id = id
    self.need = need
    self.owner = owner
  }
}

/// Where the work is.
enum Stage<Prepared: PreparedValue>: Sendable, Hashable {
  /// Reads the store without exclusive access.
  case reading
  /// The store was unavailable; a timer runs.
  case storePause(held: Bool)
  /// Exclusive access could not be had; reads what its holder has written.
  case unclaimed(OstiaryError)
  /// Waits for exclusive access.
  case claiming
  /// Another process has claimed the renewal; a timer runs.
  case claimPause
  /// Reads the store with exclusive access.
  case lookingAgain
  /// Writes, to see that the store can be written before a rotation begins.
  case marking
  /// The renewal of this session is at the server.
  case renewing(KnownSession<Prepared>)
  /// Reads the store again before the refusal of a session counts.
  case confirming(OstiaryError, refused: KnownSession<Prepared>)
  /// Asks the server whether the session is over.
  case verifying
  /// Asks the app for a credential.
  case asking
  /// A credential is at the server.
  case exchanging
  /// Asks the server whose a grant is.
  case identifying
  /// A timer runs before the exchange is tried again.
  case retryPause(KnownSession<Prepared>?)
  /// A grant waits for its preparation over the session that is known now.
  case preparing(Landing<Prepared>)
  /// Writes a new session. `isRead` while the store is read after a conflict.
  case saving(KnownSession<Prepared>, Landing<Prepared>, rereads: Bool)
  /// Writes what became of a renewal, and then fails with this error, or asks the user.
  case noting(OstiaryError, asks: Bool)
  /// Writes the ended entry, and then fails with this error.
  case ending(OstiaryError)

  /// What the work is about to store.
  var landing: Landing<Prepared>? {
    switch self {
    case .preparing(let landing), .saving(_, let landing, _): landing
    default: nil
    }
  }

  /// Whether a renewal is at the server, or what it gave is on its way to the store.
  func isRenewal(_ job: Job) -> Bool {
    switch self {
    case .marking, .renewing, .confirming: true
    case .retryPause: job.task == .renewal
    case .preparing(let landing), .saving(_, let landing, _): landing.isRenewal
    default: false
    }
  }

  /// Whether others must be kept from this work meanwhile.
  var needsAccess: Bool {
    switch self {
    case .lookingAgain, .marking, .renewing, .confirming, .exchanging, .identifying, .retryPause, .preparing, .saving,
      .noting, .ending:
      true
    case .storePause(let held): held
    case .reading, .unclaimed, .claiming, .claimPause, .verifying, .asking: false
    }
  }
}

/// What a new session replaces, and why.
struct Landing<Prepared: PreparedValue>: Sendable, Hashable {
  /// The session that it started from.
  let base: KnownSession<Prepared>?
  /// The state of the session that the grant was prepared over.
  var over: KnownSession<Prepared>?
  let isRenewal: Bool
  let cause: Cause
  /// Whether it is written before it is judged.
  var isUnjudged = false
  /// Whether it is what has been judged of ``base``: it lands on nothing else.
  var isJudgement = false
  /// Whether nothing but a part of the proof is newer.
  var isOfPart = false
  /// What of the server's answer was dropped, in words for a person.
  var droppedPart: String?
}
