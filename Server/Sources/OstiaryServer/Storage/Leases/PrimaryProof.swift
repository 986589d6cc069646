/// Whether what was read from a database may be answered with: a primary that has lost its place still tells what it knew. A value: it
/// has no clock and no connection.
///
/// A database that commits a write is the primary at a moment after the write was sent. So what was read before that moment was right,
/// however long the commit takes; and so is what is read within a lease from then on, as another primary confirms nothing in that time.
struct PrimaryProof: Sendable {
  enum Standing: Sendable {
    /// No other one had confirmed anything when it was read.
    case primary
    /// It has to commit a write first, which the caller asks it for.
    case unproven
    /// Another thread asks it.
    case asked
    /// It was asked, and does not commit.
    case doubtful
    /// It was asked a moment ago, and did not commit. It is not asked again yet.
    case paused
  }

  private struct Proof: Sendable {
    let identity: DatabaseIdentity
    let until: ContinuousClock.Instant
  }

  private let terms: LeaseTerms
  private var proof: Proof?
  /// Whether a thread has asked, and has no answer.
  private var isAsked = false
  /// How many questions in a row had no commit, and until when there is no other one.
  private var failures = 0
  private var pausedUntil: ContinuousClock.Instant?

  init(_ terms: LeaseTerms) { self.terms = terms }

  /// For how long a commit is waited for. After a database has taken that long, no longer than a lease, until it commits again: its
  /// standby may be gone.
  var patience: Duration { failures == 0 ? terms.proof : terms.lease }

  /// - Parameter read: a moment after the read.
  mutating func standing(
    of identity: DatabaseIdentity, readBy read: ContinuousClock.Instant, at now: ContinuousClock.Instant
  ) -> Standing {
    if let proof, proof.identity == identity, read < proof.until { return .primary }
    if isAsked { return now < read + patience ? .asked : .doubtful }
    if let pausedUntil, now < pausedUntil { return .paused }
    isAsked = true
    return .unproven
  }

  /// A database has committed a write.
  mutating func committed(_ identity: DatabaseIdentity, sent: ContinuousClock.Instant) {
    (failures, pausedUntil) = (0, nil)
    let until = sent + terms.lease
    if let proof, proof.identity == identity, proof.until > until { return }
    proof = Proof(identity: identity, until: until)
  }

  /// The question has its answer.
  /// - Parameter identity: the database that has committed; nil if it is not known that one has.
  mutating func answered(
    _ identity: DatabaseIdentity?, sent: ContinuousClock.Instant, at now: ContinuousClock.Instant
  ) {
    isAsked = false
    if let identity { return committed(identity, sent: sent) }
    pausedUntil = now + min(terms.longestPause, terms.firstPause * (1 << min(failures, 10)))
    failures += 1
  }
}
