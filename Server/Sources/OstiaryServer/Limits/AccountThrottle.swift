import Foundation
internal import OstiaryCore

/// The count of wrong passwords in a row for each account name, in the database.
///
/// An attempt is counted *before* its password is looked at and taken back if it was right, all in transactions:
/// however many run side by side, in however many processes, no more are verified than the limit allows, and a crash in
/// between never gives one away.
struct AccountThrottle: Sendable {
  let limits: LoginLimits

  /// Counts an attempt, or says how long to wait before the next one.
  func reserve(_ key: NameKey, now: Date, in db: StorageConnection) throws -> Duration? {
    let known = try Self.count(ThrottleStatements.sql.findForCounting, key, in: db)
    let failures = known?.failures ?? 0
    guard failures < limits.mostFailures else { return limits.longestWait }
    let rest = (known?.blockedUntil ?? 0) - now.timeIntervalSince1970
    if rest > limits.longestWait.timeInterval {
      // The machine's clock was set back. Nobody waits longer than the longest wait for that.
      try db.run(
        ThrottleStatements.sql.shorten, now.addingTimeInterval(limits.longestWait.timeInterval), key.data)
      return limits.longestWait
    }
    if rest > 0 { return .seconds(rest) }

    let count = failures + 1
    let until = now.addingTimeInterval(limits.wait(afterFailures: count).timeInterval)
    try db.run(ThrottleStatements.sql.count, key.data, count, until, now)
    if known == nil { try forgetSome(in: db) }
    return nil
  }

  /// How long an account has to wait, without counting anything; nil where it may be tried.
  func wait(_ key: NameKey, now: Date, in db: StorageConnection) throws -> Duration? {
    guard let known = try Self.count(ThrottleStatements.sql.find, key, in: db) else { return nil }
    guard known.failures < limits.mostFailures else { return limits.longestWait }
    let rest = known.blockedUntil - now.timeIntervalSince1970
    return rest > 0 ? .seconds(rest) : nil
  }

  private static func count(
    _ statement: StorageStatement, _ key: NameKey, in db: StorageConnection
  ) throws -> (failures: Int, blockedUntil: Double)? {
    try db.first(statement, key.data) { (failures: $0.next(), blockedUntil: $0.next()) }
  }

  /// Starts the count anew: after a right password, a new password, or an administrator's word.
  func reset(_ key: NameKey, in db: StorageConnection) throws {
    try db.run(ThrottleStatements.sql.reset, key.data)
  }

  /// Keeps the counts of names without a user below the limit; the oldest go first, and a user's never go.
  private func forgetSome(in db: StorageConnection) throws {
    let count = try db.count(ThrottleStatements.sql.countAll)
    // Seldom, and then many.
    guard count > limits.mostKeys else { return }
    try db.run(ThrottleStatements.sql.removeOldest, count - limits.mostKeys + limits.mostKeys / 10)
  }
}
