import Foundation
internal import GRDB
internal import OstiaryCore

/// The count of wrong passwords in a row for each account name, in the database.
///
/// An attempt is counted *before* its password is looked at and taken back if it was right, all in transactions:
/// however many run side by side, in however many processes, no more are verified than the limit allows, and a crash in
/// between never gives one away.
struct AccountThrottle: Sendable {
  let limits: LoginLimits

  /// Counts an attempt, or says how long to wait before the next one.
  func reserve(_ key: NameKey, now: Date, in db: GRDB.Database) throws -> Duration? {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT count, blocked_until FROM failures WHERE name_key = ?"), arguments: [key.data])
    let failures: Int = row?["count"] ?? 0
    guard failures < limits.mostFailures else { return limits.longestWait }
    let rest = (row?["blocked_until"] ?? 0) - now.timeIntervalSince1970
    if rest > limits.longestWait.timeInterval {
      // The machine's clock was set back. Nobody waits longer than the longest wait for that.
      try db.cachedStatement(sql: "UPDATE failures SET blocked_until = ? WHERE name_key = ?").execute(
        arguments: [now.addingTimeInterval(limits.longestWait.timeInterval).timeIntervalSince1970, key.data])
      return limits.longestWait
    }
    if rest > 0 { return .seconds(rest) }

    let count = failures + 1
    let until = now.addingTimeInterval(limits.wait(afterFailures: count).timeInterval)
    try db.cachedStatement(
      sql: """
        INSERT INTO failures (name_key, count, blocked_until, updated_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (name_key) DO UPDATE
        SET count = excluded.count, blocked_until = excluded.blocked_until, updated_at = excluded.updated_at
        """
    ).execute(arguments: [key.data, count, until.timeIntervalSince1970, now.timeIntervalSince1970])
    if row == nil { try forgetSome(in: db) }
    return nil
  }

  /// How long an account has to wait, without counting anything; nil where it may be tried.
  func wait(_ key: NameKey, now: Date, in db: GRDB.Database) throws -> Duration? {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT count, blocked_until FROM failures WHERE name_key = ?"), arguments: [key.data])
    guard let row else { return nil }
    let failures: Int = row["count"]
    guard failures < limits.mostFailures else { return limits.longestWait }
    let rest = (row["blocked_until"] ?? 0) - now.timeIntervalSince1970
    return rest > 0 ? .seconds(rest) : nil
  }

  /// Starts the count anew: after a right password, a new password, or an administrator's word.
  func reset(_ key: NameKey, in db: GRDB.Database) throws {
    try db.cachedStatement(sql: "DELETE FROM failures WHERE name_key = ?").execute(arguments: [key.data])
  }

  /// Keeps the counts of names without a user below the limit; the oldest go first, and a user's never go.
  private func forgetSome(in db: GRDB.Database) throws {
    let count = try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM failures")) ?? 0
    // Seldom, and then many.
    guard count > limits.mostKeys else { return }
    try db.cachedStatement(
      sql: """
        DELETE FROM failures WHERE name_key IN (
          SELECT name_key FROM failures WHERE name_key NOT IN (SELECT name_key FROM users)
          ORDER BY updated_at LIMIT ?)
        """
    ).execute(arguments: [count - limits.mostKeys + limits.mostKeys / 10])
  }
}
