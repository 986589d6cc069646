import Foundation
internal import OstiaryCore

/// What has changed for users shortly before another primary took over, which may have lost it.
struct LostUserChanges: Sendable {
  /// A change that this server has heard of.
  struct Heard: Sendable {
    let kind: StorageEnd.Kind
    let user: EndedUser

    /// Nil for another kind of end.
    init?(_ kind: StorageEnd.Kind, _ subject: String) {
      switch kind {
      case .userDisabled, .userEnabled, .newPassword: break
      default: return nil
      }
      guard let user = EndedUser(subject: subject) else { return nil }
      (self.kind, self.user) = (kind, user)
    }
  }

  /// A transaction tells each of a few ends, of which a user may have two; of many it would tell that all has ended.
  private static let batch = 8

  let storage: ServerStorage
  let clock: any SessionClock

  /// Disables users again whose disabling the database has lost, and ends the sessions of those whose new password it has lost: the
  /// password itself is known to no server. Where the database has lost nothing, nothing happens.
  /// - Parameters:
  ///   - heard: in the order in which it has happened.
  ///   - tell: gets the ids of users whose new password is lost, after each transaction: one that is run again after a failure does not find
  ///     them any more.
  func makeAgain(_ heard: [Heard], lostPasswords tell: ([String]) async -> Void) async throws(ServerError) {
    var states: [String: StorageEnd.Kind] = [:]
    for change in heard where change.kind != .newPassword { states[change.user.id] = change.kind }
    // One that was enabled afterwards has only lost its sessions.
    let disabled = Set(states.filter { $0.value == .userDisabled }.keys)
    let ending = heard.filter { $0.kind != .userEnabled }
    for start in stride(from: 0, to: ending.count, by: Self.batch) {
      let lost = try await makeAgain(Array(ending[start..<min(start + Self.batch, ending.count)]), disabled)
      if !lost.isEmpty { await tell(lost) }
    }
  }

  private func makeAgain(_ heard: [Heard], _ disabled: Set<String>) async throws(ServerError) -> [String] {
    let now = clock.now
    let trail = AuditTrail(of: storage, at: now)
    let done = try await storage.writeEnd { db -> [Heard] in
      try heard.filter { change in
        guard let user = try UserRow.findForUse(id: change.user.id, in: db)?.user,
          user.generation < change.user.generation
        else { return false }
        if change.kind == .newPassword {
          try db.run(UserStatements.sql.advance, now, user.id, ends: .newPassword(user.nextGeneration))
        } else if disabled.contains(user.id) {
          try db.run(UserStatements.sql.disable, now, user.id, ends: .disabled(user.nextGeneration))
          try trail.note(AuditEvent(.accountDisabled, .administrator, user: user.id), in: db)
        } else {
          try db.run(UserStatements.sql.advance, now, user.id, ends: .user(user.id))
        }
        let cause: AuditCause = change.kind == .newPassword ? .passwordChanged : .userDisabled
        try UserRow.endSessions(ofUser: user.id, cause, trail, in: db)
        return true
      }
    }
    let changes = UserChanges.of(storage)
    for change in done { changes.sessionsEnded(ofUser: change.user.id) }
    return done.filter { $0.kind == .newPassword }.map(\.user.id)
  }
}
