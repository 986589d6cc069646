import Foundation
internal import GRDB

/// Keeps the table of sessions within its bounds, a little with each session that begins: it never needs more room than
/// it had when it was fullest, and no janitor.
enum SessionHousekeeping {
  /// Removes more than can have come since.
  private static let batch = 100

  /// - Returns: whether the user's oldest sessions had to end.
  static func run(userID: String?, now: Date, limits: SessionLimits, in db: GRDB.Database) throws -> Bool {
    try db.cachedStatement(
      sql: """
        DELETE FROM sessions WHERE id_hash IN (
          SELECT id_hash FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
        """
    ).execute(arguments: [now.timeIntervalSince1970, batch])
    guard let userID else { return false }
    try db.cachedStatement(
      sql: """
        DELETE FROM sessions WHERE id_hash IN (
          SELECT id_hash FROM sessions WHERE user_id = ? ORDER BY created_at DESC LIMIT -1 OFFSET ?)
        """
    ).execute(arguments: [userID, limits.mostPerUser])
    return db.changesCount > 0
  }

  /// Ends the oldest guests beyond the limit. Looks at every guest, so it is not for every request.
  static func removeOldestGuests(limits: SessionLimits, in db: GRDB.Database) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM sessions WHERE id_hash IN (
          SELECT id_hash FROM sessions WHERE user_id IS NULL ORDER BY created_at DESC LIMIT -1 OFFSET ?)
        """
    ).execute(arguments: [limits.mostGuests])
  }
}
