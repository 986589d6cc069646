import Foundation

/// Keeps the table of sessions within its bounds, a little with each session that begins: it never needs more room than
/// it had when it was fullest, and no janitor.
enum SessionHousekeeping {
  /// Removes more than can have come since.
  private static let batch = 100

  /// - Returns: whether the user's oldest sessions had to end.
  static func run(
    userID: String?, now: Date, limits: SessionLimits, _ trail: AuditTrail, in db: StorageConnection
  ) throws -> Bool {
    let expired = try db.all(SessionStatements.sql.removeExpired, now, batch) { EndedSession(&$0) }
    try EndedSession.note(expired, .expired, trail, in: db)
    guard let userID else { return false }
    let oldest = try db.all(SessionStatements.sql.endOldest, userID, limits.mostPerUser) { EndedSession(&$0) }
    try EndedSession.note(oldest, .tooManySessions, trail, in: db)
    return !oldest.isEmpty
  }

  /// Ends the oldest guests beyond the limit. Looks at every guest, so it is not for every request.
  static func removeOldestGuests(limits: SessionLimits, in db: StorageConnection) throws {
    try db.run(SessionStatements.sql.endOldestGuests, limits.mostGuests)
  }
}
