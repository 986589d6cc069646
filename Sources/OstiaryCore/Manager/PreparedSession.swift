internal import Foundation

/// A session with everything prepared that a request needs. It never changes; the machine replaces it.
package final class PreparedSession: PreparedValue {
  let session: Session
  package let attachment: ProofAttachment
  /// The session's version, beside it: reading it there would copy the session.
  package let version: ProofVersion
  /// Since which version the proof besides its parts is the same, as far as is known here.
  let sameSince: ProofVersion

  init(_ session: Session, attachment: ProofAttachment, sameSince: ProofVersion? = nil) {
    self.session = session
    self.attachment = attachment
    version = session.version
    self.sameSince = sameSince ?? session.version
  }

  func revised(_ version: ProofVersion) -> PreparedSession {
    PreparedSession(session.revised(version), attachment: attachment)
  }

  func raised(to version: ProofVersion) -> PreparedSession {
    PreparedSession(session.revised(version), attachment: attachment, sameSince: sameSince)
  }

  func following(_ earlier: PreparedSession) -> PreparedSession {
    guard version.isLater(than: earlier.version), showsSame(as: earlier) else { return self }
    return PreparedSession(session, attachment: attachment, sameSince: earlier.sameSince)
  }

  func isProof(shownAs shown: ProofVersion) -> Bool {
    version.isLater(than: shown) && !sameSince.isLater(than: shown)
  }

  /// Whether requests get the same from both, but for the parts. Of proof that is made for each request it can't be told.
  private func showsSame(as other: PreparedSession) -> Bool {
    let (own, others) = (attachment, other.attachment)
    guard own.perRequest == nil, others.perRequest == nil, own.inBody == nil, others.inBody == nil else { return false }
    return own.fields == others.fields && session.proof.cookies == other.session.proof.cookies
  }

  package static func == (left: PreparedSession, right: PreparedSession) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What readers see of the state: made after each step, and never changed.
final class SessionSnapshot: Sendable {
  let state: SessionState<PreparedSession>
  /// The session, unless the server has refused it.
  let usable: KnownSession<PreparedSession>?
  /// What requests need of it, beside it: reading that there would copy all of it.
  let prepared: PreparedSession?
  private let issued: Moment?
  private let usedFor: Double?
  /// The session that newer proof of an answer changes: the known one, or the one that a refusal has ended.
  let changeable: KnownSession<PreparedSession>?
  /// What the store's stamp was when it was last read or written; `nil` when it is not known.
  let stamp: StoreStamp?
  /// Whether the store holds the ending of other proofs of this sign-in, so that an acceptance has to be written.
  let owesAcceptance: Bool
  /// How many sign-ins for requests have failed for good.
  let failedSignIns: UInt64
  /// How often a user has signed out.
  let signOuts: UInt64

  init(_ machine: SessionMachine<PreparedSession>) {
    state = machine.session
    usable = machine.session.usable
    prepared = usable?.prepared
    issued = usable?.issued
    usedFor = usable?.usedFor
    changeable = machine.session.changeable
    stamp = machine.stamp
    owesAcceptance = machine.stored.isEnded && machine.stored.lineage == machine.session.known?.lineage
    failedSignIns = machine.failedSignIns.count
    signOuts = machine.signOuts
  }

  /// Whose request is one that a session of this user is attached to now.
  func owner(_ user: Session.User) -> RequestOwner { RequestOwner(user: user.id, signOuts: signOuts) }

  /// The session, if it is good now.
  func ready(at moment: @autoclosure () -> Moment) -> PreparedSession? {
    guard let issued, let usedFor else { return prepared }
    return moment().seconds(since: issued) < usedFor ? prepared : nil
  }

  /// When the session was given, by the wall clock, if it is of this sign-in.
  func issuedAt(of lineage: UUID) -> Date? { prepared?.version.lineage == lineage ? issued?.wall : nil }
}
