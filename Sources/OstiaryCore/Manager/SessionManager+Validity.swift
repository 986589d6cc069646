internal import Foundation

extension SessionManager {
  /// A session whose proof is good for at least a while yet, as far as its server has said how long it lasts: one of which less is left is
  /// renewed first, once for all who ask. For programs that hand a token on.
  ///
  /// One whose end only the server knows is given as it is.
  /// - Throws: ``OstiaryError``: `endsTooSoon` where a renewal has brought no more, or there is none; otherwise as ``session()``. After what
  ///   keeps a renewal from being made, the session is as good as before.
  public func session(minimumValidity: Duration) async throws -> Session {
    var known = try await usable(.ensure(.requestedByApp, failures: nil))
    let user = known.user.id
    var turns = 0
    while !known.lasts(minimumValidity, at: driver.clock.moment) {
      let before = known
      try await driver.need(.newer(than: before.tokens))
      known = try await usable(.ensure(.requestedByApp, failures: nil))
      // A user who has signed in meanwhile is not whom the caller asked for.
      guard known.user.id == user else { throw Self.signedOutMeanwhile }
      turns += 1
      // What came may have been the proof of one address alone, which another caller was waiting for.
      if known.differsInParts(from: before), turns <= known.prepared.attachment.parts.count { continue }
      guard known.lasts(minimumValidity, at: driver.clock.moment) else {
        throw OstiaryError(
          .endsTooSoon, "The session ends sooner than was asked for; the server gives no more time.",
          requestMayHaveExecuted: false)
      }
      break
    }
    noteUse(of: known.version)
    return known.prepared.session
  }
}

extension KnownSession {
  /// Whether the proof is good for so long by its own date.
  fileprivate func lasts(_ time: Duration, at now: Moment) -> Bool {
    guard let lifetime else { return true }
    return lifetime - now.seconds(since: issued) >= time.seconds
  }
}

extension KnownSession<PreparedSession> {
  /// Whether there is newer proof, and the session's own is the same: a part leaves its date as it was.
  fileprivate func differsInParts(from before: Self) -> Bool {
    tokens != before.tokens && prepared.session.expiresAt == before.prepared.session.expiresAt
  }
}
