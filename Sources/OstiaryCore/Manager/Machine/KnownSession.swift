internal import Foundation

/// What the machine needs of a prepared session. The tests use a small value of their own.
protocol PreparedValue: Sendable, Hashable {
  /// The same proof under another version, under which other proof may have been shown from here before.
  func revised(_ version: ProofVersion) -> Self
  /// The same proof under a later version than the one that it was known by here.
  func raised(to version: ProofVersion) -> Self
  /// This, taken over in place of an earlier one: it may be the same proof, but for its parts.
  func following(_ earlier: Self) -> Self
  /// Whether what was shown from here as an earlier version is this proof, but for its parts.
  func isProof(shownAs version: ProofVersion) -> Bool
}

extension PreparedValue {
  func raised(to version: ProofVersion) -> Self { revised(version) }
  func following(_ earlier: Self) -> Self { self }
  func isProof(shownAs version: ProofVersion) -> Bool { false }
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
  /// What became of renewals of it that have brought nothing.
  var trail: RenewalTrail?

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

  /// Whether the same proof is good for longer here: answers of the server have prolonged it.
  func isProlonged(since other: KnownSession) -> Bool {
    guard version == other.version, let lifetime, let earlier = other.lifetime else { return false }
    return lifetime > earlier
  }

  func revised(_ version: ProofVersion) -> KnownSession {
    var session = self
    session.version = version
    session.prepared = prepared.revised(version)
    return session
  }

  func raised(to version: ProofVersion) -> KnownSession {
    var session = self
    session.version = version
    session.prepared = prepared.raised(to: version)
    return session
  }

  func following(_ earlier: KnownSession) -> KnownSession {
    var session = self
    session.prepared = prepared.following(earlier.prepared)
    return session
  }

  /// Whether a request that carried this version carried this proof, but for its parts.
  func isProof(shownAs shown: ProofVersion) -> Bool { version == shown || prepared.isProof(shownAs: shown) }
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
