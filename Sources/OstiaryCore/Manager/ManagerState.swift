internal import Foundation

/// Everything a session manager knows, guarded by its lock.
struct ManagerState: Sendable {
  /// What is known of the session.
  var phase: Phase = .unread
  /// Raised by signing out, which makes writes under way worthless.
  var epoch: UInt64 = 0
  /// The shared work under way. What any other flight finds out is thrown away.
  var flight: Flight?
  /// How many sign-ins for requests have ended without a session and without hope that another attempt helps, and why
  /// the last one did: requests that were sent before hear of it and ask nobody again.
  var disappointments: (count: UInt64, last: OstiaryError?) = (0, nil)
  /// The credential given up front, as long as it is not refused.
  var credential: Credential?
  /// What the store holds as far as this manager knows; `nil` when it has not looked or holds nothing.
  var stored: Data?
  /// What the store's stamp was before it was last read, or of this manager's last write; `nil` when it is not known.
  var stamp: StoreStamp?
  /// Sign-ins that were ended here. What the store still holds of them is never believed again.
  var buried: Set<UUID> = []
  /// When the session was last used.
  var use = SessionUse()
  /// Consecutive transient failures of sign-in or renewal.
  var failures = 0
  /// When no attempt is made, and what to tell callers meanwhile. A clock that is set back ends it.
  var pause: (from: Date, until: Date, error: OstiaryError)?
  /// Sessions in a row that were refused before being accepted once.
  var freshRejections = 0
  /// Work for the background writer.
  var writer = PendingWrites()

  enum Phase: Sendable {
    /// The store has not been read.
    case unread
    /// The store could not be read.
    case unreadable(OstiaryError)
    /// There is a session, perhaps past its expiry.
    case signedIn(WarmSession)
    /// The server refused the proof; what follows is under way, or failed for a reason that may pass.
    case rejected(Session, OstiaryError?)
    /// There is no session.
    case signedOut(Cause)
  }

  /// What the background writer still has to do.
  struct PendingWrites: Sendable {
    /// The session in memory is newer than the stored one.
    var isDirty = false
    /// What the store says of the session's last use is long past.
    var owesUse = false
    /// Whether being behind has been told as an event.
    var isLate = false
    /// The store may hold a session that was ended here.
    var isBurying = false
    /// The user signed out before the store could be read: whatever it turns out to hold is over.
    var endsUnread = false
    /// The one timer.
    var task: Task<Void, Never>?

    var isEmpty: Bool { !isDirty && !owesUse && !isBurying }
  }

  /// The session, whatever is known about it.
  var session: Session? {
    switch phase {
    case .signedIn(let warm): warm.session
    case .rejected(let session, _): session
    default: nil
    }
  }

  var warm: WarmSession? {
    if case .signedIn(let warm) = phase { warm } else { nil }
  }
}
