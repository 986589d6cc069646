internal import Foundation

/// What happens to a session. Results carry the ticket of the action that they answer.
enum SessionInput<Prepared: PreparedValue>: Sendable {
  typealias Known = KnownSession<Prepared>

  /// A caller needs something of the shared work.
  /// - stamp: what the store's stamp is now; `nil` when it can't tell.
  case needed(Need, caller: UInt64, stamp: StoreStamp?)
  /// A caller's task was cancelled.
  case left(caller: UInt64)
  case claimed(Ticket)
  case claimFailed(Ticket, OstiaryError)
  case storeRead(Ticket, StoreContent<Prepared>)
  case storeUnavailable(Ticket, OstiaryError)
  case written(Ticket, Data, StoreStamp?)
  case writeFailed(Ticket, OstiaryError)
  /// The app gave a credential; the driver keeps it.
  case credentialGiven(Ticket)
  case declined(Ticket, OstiaryError)
  /// The server gave something for the credential; the driver keeps it.
  /// - isKept: whether it was given for an earlier sign-in with the same credential.
  case exchanged(Ticket, isIdentified: Bool, isKept: Bool = false)
  /// The server gave newer proof; the driver keeps it.
  /// - isUnjudged: whether it is written first and judged then.
  /// - isJudged: whether it is the judgement of what the session had been written with.
  /// - droppedPart: what of it was dropped, in words for a person.
  case renewed(Ticket, isUnjudged: Bool = false, isJudged: Bool = false, droppedPart: String? = nil)
  /// The server knows no renewal without a credential.
  case notRenewable(Ticket)
  /// An exchange, an identification or a renewal failed.
  case failed(Ticket, Failure)
  /// What the driver keeps was made a session.
  case prepared(Ticket, Known)
  case verified(Ticket, isValid: Bool, reason: String)
  case verificationFailed(Ticket, OstiaryError)
  /// A request was accepted with this proof.
  case accepted(ProofVersion)
  /// A request was refused with this proof, in the server's own words.
  case refused(ProofVersion, reason: String)
  /// The proof can't be shown any more: the key that it needs is lost here.
  case lost(ProofVersion)
  /// A response changed the session that was known as `base`.
  /// - waiter: the caller that waits until it is stored.
  case changed(Known, over: Known, isProof: Bool, shown: ProofDigest?, waiter: UInt64?)
  /// A use of the session has to be written.
  case used(ProofVersion)
  /// The app begins to sign out of what there is now; ``signedOutHere(caller:)`` follows.
  case signingOut
  case signedOutHere(caller: UInt64)
  case flush(caller: UInt64)
  case cancelled(OstiaryError, Cause)
  case timePassed(SessionTimer)
}

/// Names one action whose result comes later.
struct Ticket: Sendable, Hashable, Comparable {
  let number: UInt64
  static func < (left: Ticket, right: Ticket) -> Bool { left.number < right.number }
}

/// The timers of a session; each runs at most once at a time.
enum SessionTimer: Sendable, Hashable, CaseIterable {
  /// The shared work tries again.
  case work
  /// The store is written again.
  case writing
  /// The ended entry is written again.
  case ending
  /// Those who wait for a sign-out have waited long enough.
  case signOut
  /// Those who wait for a change to be stored have waited long enough.
  case absorbing
  /// A person has had the time that signing in may take.
  case patience
}

/// Why an exchange with the server came to nothing.
struct Failure: Sendable, Hashable {
  var error: OstiaryError
  /// Whether a lower layer of the stack failed, and this session's server was not asked.
  var isLowerLayer = false
  /// Whether the same exchange may be tried again without a look at what the server did.
  var mayRepeat = true
}
