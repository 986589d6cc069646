/// A session with everything prepared that a request needs. It never changes; the machine replaces it.
final class PreparedSession: PreparedValue {
  let session: Session
  let attachment: ProofAttachment

  init(_ session: Session, attachment: ProofAttachment) {
    self.session = session
    self.attachment = attachment
  }

  func revised(_ version: ProofVersion) -> PreparedSession {
    PreparedSession(session.revised(version), attachment: attachment)
  }

  static func == (left: PreparedSession, right: PreparedSession) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What readers see of the state: made after each step, and never changed.
final class SessionSnapshot: Sendable {
  let state: SessionState<PreparedSession>
  /// The session, unless the server has refused it.
  let usable: KnownSession<PreparedSession>?
  /// The session that newer proof of an answer changes: the known one, or the one that a refusal has ended.
  let changeable: KnownSession<PreparedSession>?
  /// What the store's stamp was when it was last read or written; `nil` when it is not known.
  let stamp: StoreStamp?
  /// Whether the store holds the ending of other proofs of this sign-in, so that an acceptance has to be written.
  let owesAcceptance: Bool
  /// How many sign-ins for requests have failed for good.
  let failedSignIns: UInt64

  init(_ machine: SessionMachine<PreparedSession>) {
    state = machine.session
    usable = machine.session.usable
    changeable = machine.session.changeable
    stamp = machine.stamp
    owesAcceptance = machine.stored.isEnded && machine.stored.lineage == machine.session.known?.lineage
    failedSignIns = machine.failedSignIns.count
  }
}
