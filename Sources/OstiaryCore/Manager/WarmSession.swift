internal import Foundation

/// A session that is good as far as is known, with everything prepared that a request needs.
///
/// It never changes; the manager swaps it. A reader takes a reference under the lock and works on it outside.
final class WarmSession: Sendable {
  let session: Session
  let attachment: ProofAttachment
  /// When it stops being used, the margin already taken off.
  let freshUntil: Date?
  /// Whether the server has accepted this proof since it was given.
  private let accepted: Locked<Bool>

  init(_ session: Session, attachment: ProofAttachment, margin: Duration, wasAccepted: Bool = false) {
    self.session = session
    self.attachment = attachment
    accepted = Locked(wasAccepted)
    // A margin that takes more than a tenth of a short session's life would leave nothing of it.
    freshUntil = session.expiresAt.map { expiry in
      expiry.addingTimeInterval(-min(margin.seconds, max(0, expiry.timeIntervalSince(session.issuedAt) / 10)))
    }
  }

  private init(_ warm: WarmSession, freshUntil: Date?) {
    session = warm.session
    attachment = warm.attachment
    accepted = warm.accepted
    self.freshUntil = freshUntil
  }

  /// The same session, good until the server says otherwise.
  var withoutDate: WarmSession { WarmSession(self, freshUntil: nil) }

  /// The same session, used until another date.
  func fresh(until date: Date) -> WarmSession { WarmSession(self, freshUntil: date) }

  var version: ProofVersion { session.version }

  func isFresh(at clock: any SessionClock) -> Bool {
    guard let freshUntil else { return true }
    return clock.now < freshUntil
  }

  var wasAccepted: Bool { accepted.withLock { $0 } }

  /// Notes that the server accepted the proof. Returns whether that is news.
  func noteAccepted() -> Bool {
    accepted.withLock { accepted in
      defer { accepted = true }
      return !accepted
    }
  }
}
