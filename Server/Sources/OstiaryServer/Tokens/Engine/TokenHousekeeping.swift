import Foundation
internal import GRDB
internal import OstiaryCore

/// Removes what has ended, a little with the tokens that are issued: the tables never need more room than they had when
/// they were fullest, and no janitor.
final class TokenHousekeeping: Sendable {
  /// After so many issues, or so many seconds.
  private static let issues = 64
  private static let seconds = 10.0
  /// More than can have come since.
  private static let batch = 4 * issues

  /// Spent tokens are kept for so many seconds beyond their time: a call that came in time may have had to wait for its
  /// turn, and must not be taken for a thief's.
  private static let patience = 60.0

  private let state = Locked((issues: 0, last: Date.distantPast))

  /// Removes something if it is time to.
  func run(now: Date, in db: GRDB.Database) throws {
    let isDue = state.withLock { state in
      state.issues += 1
      guard state.issues >= Self.issues || abs(now.timeIntervalSince(state.last)) >= Self.seconds else { return false }
      state = (0, now)
      return true
    }
    if isDue { try Self.removeExpired(now: now, in: db) }
  }

  private static func removeExpired(now: Date, in db: GRDB.Database) throws {
    let time = now.timeIntervalSince1970
    try db.cachedStatement(
      sql: """
        DELETE FROM spent_refresh_tokens WHERE (grant_id, token_hash) IN (
          SELECT grant_id, token_hash FROM spent_refresh_tokens WHERE replay_until <= ? ORDER BY replay_until LIMIT ?)
        """
    ).execute(arguments: [time - patience, batch])
    for table in ["authorization_codes", "device_codes"] {
      try db.cachedStatement(
        sql: """
          DELETE FROM \(table) WHERE code_hash IN (
            SELECT code_hash FROM \(table) WHERE remove_at <= ? ORDER BY remove_at LIMIT ?)
          """
      ).execute(arguments: [time, batch])
    }
    try removeExpiredAccessTokens(time, in: db)
    try removeExpiredGrants(time, in: db)
  }

  private static func removeExpiredAccessTokens(_ time: Double, in db: GRDB.Database) throws {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT token_hash, grant_id FROM access_tokens WHERE expires_at <= ? ORDER BY expires_at LIMIT ?"),
      arguments: [time, batch])
    for row in rows {
      let (hash, grantID): (Data, Int64) = (row["token_hash"], row["grant_id"])
      try db.cachedStatement(sql: "DELETE FROM access_tokens WHERE token_hash = ?").execute(arguments: [hash])
      try removeGrantWithoutTokens(grantID, in: db)
    }
  }

  /// A grant without a refresh token goes with its last access token.
  static func removeGrantWithoutTokens(_ id: Int64, in db: GRDB.Database) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM grants WHERE id = ? AND handle_hash IS NULL
          AND NOT EXISTS (SELECT 1 FROM access_tokens WHERE grant_id = grants.id)
        """
    ).execute(arguments: [id])
  }

  /// One whose refresh token has ended goes, or waits for its access tokens.
  private static func removeExpiredGrants(_ time: Double, in db: GRDB.Database) throws {
    let ids = try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT id FROM grants WHERE expires_at <= ? ORDER BY expires_at LIMIT ?"),
      arguments: [time, batch])
    for id in ids {
      let last = try Double.fetchOne(
        db.cachedStatement(sql: "SELECT max(expires_at) FROM access_tokens WHERE grant_id = ? AND expires_at > ?"),
        arguments: [id, time])
      if let last {
        try db.cachedStatement(sql: "UPDATE grants SET expires_at = ? WHERE id = ?").execute(arguments: [last, id])
      } else {
        try db.cachedStatement(sql: "DELETE FROM grants WHERE id = ?").execute(arguments: [id])
      }
    }
  }
}
