internal import Foundation

/// What the machine needs of a prepared session. The tests use a small value of their own.
protocol PreparedValue: Sendable, Hashable {
  /// The same proof under another version.
  func revised(_ version: ProofVersion) -> Self
}

/// A session as the machine sees it: the prepared value, which it never looks into, and the facts that it decides by.
struct KnownSession<Prepared: PreparedValue>: Sendable, Hashable {
  private(set) var prepared: Prepared
  private(set) var version: ProofVersion
  let user: Session.User
  let digest: ProofDigest
  /// The digest of the tokens alone. Sessions that differ in it are no alternatives: tokens have an order.
  let tokens: ProofDigest
  /// When the proof was given.
  let issued: Moment
  /// When the sign-in was made that the proof is of, where its writer knew.
  var begun: Moment?
  /// How long after ``issued`` the proof is over by its own date, in seconds; `nil` when only the server knows.
  let lifetime: Double?
  /// How long after ``issued`` it is used without asking for newer proof, in seconds; `nil`: until it is refused.
  var usedFor: Double?
  /// Whether the server has accepted this proof since it was given.
  var isAccepted = false

  init(
    prepared: Prepared, version: ProofVersion, user: Session.User, digest: ProofDigest, tokens: ProofDigest,
    issued: Moment, begun: Moment?, lifetime: Double?, margin: Double, isAccepted: Bool = false
  ) {
    self.prepared = prepared
    self.version = version
    self.user = user
    self.digest = digest
    self.tokens = tokens
    self.issued = issued
    self.begun = begun
    self.lifetime = lifetime
    // A margin that takes more than a tenth of a short session's life would leave nothing of it.
    usedFor = lifetime.map { $0 - min(margin, max(0, $0 / 10)) }
    self.isAccepted = isAccepted
  }

  var lineage: UUID { version.lineage }

  func isFresh(at now: Moment) -> Bool {
    guard let usedFor else { return true }
    return now.seconds(since: issued) < usedFor
  }

  /// Whether both are the same state of the same proof, whether accepted or not.
  func isSame(as other: KnownSession) -> Bool {
    version == other.version && digest == other.digest && prepared == other.prepared
  }

  /// Whether the proof is over by its own date.
  func isOver(at now: Moment) -> Bool {
    guard let lifetime else { return false }
    return now.seconds(since: issued) >= lifetime
  }

  func revised(_ version: ProofVersion) -> KnownSession {
    var session = self
    session.version = version
    session.prepared = prepared.revised(version)
    return session
  }
}

/// What the store held when it was read.
struct StoreContent<Prepared: PreparedValue>: Sendable, Hashable {
  enum Entry: Sendable, Hashable {
    case absent
    /// The session, and others of the same sign-in with different cookies.
    case session(KnownSession<Prepared>, alternatives: [KnownSession<Prepared>])
    case ended(EndedEntry)
    /// Bytes that no version can read.
    case damaged
  }

  var entry: Entry
  /// The bytes; `nil` when there are none, or when the store has kept damaged ones aside.
  var data: Data?
  /// Taken before.
  var stamp: StoreStamp?
  var claim: RenewalClaim?

  var session: KnownSession<Prepared>? {
    if case .session(let session, _) = entry { session } else { nil }
  }
}
