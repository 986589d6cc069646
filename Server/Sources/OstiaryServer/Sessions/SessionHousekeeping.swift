import Foundation
internal import GRDB

/// Keeps the table of sessions within its bounds, a little with each session that begins: it never needs more room than
/// it had when it was fullest, and no janitor.
enum SessionHousekeeping {
  /// Removes more than can have come since.
  private static let batch = 100

  static func run(userID: String?, now: Date, limits: SessionLimits, in db: GRDB.Database) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM sessions WHERE id_hash IN (
          SELECT id_hash FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
        """
    ).execute(arguments: [now.timeIntervalSince1970, batch])
    if let userID {
      try removeOldest("user_id = ?", [userID], keeping: limits.mostPerUser, in: db)
    }
  }

  private static func removeOldest(
    _ condition: String, _ arguments: StatementArguments, keeping count: Int, in db: GRDB.Database
  ) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM sessions WHERE id_hash IN (
          SELECT id_hash FROM sessions WHERE \(condition) ORDER BY created_at DESC LIMIT -1 OFFSET ?)
        """
    ).execute(arguments: arguments + [count])
  }
}
