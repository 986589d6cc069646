import Foundation
internal import GRDB
internal import OstiaryCore

/// A session and its times.
struct SessionRecord: Sendable {
  let session: ServerSession
  /// The last use, exact in memory.
  var seenAt: Date
  /// The last use as the database has it.
  var storedSeenAt: Date
  /// The storage's version when the database was last asked; see ``ServerStorage/version``.
  var version: Int?

  /// Whether the idle and the absolute limit allow another use.
  /// - Parameter slack: how far the last use may lag behind the truth.
  func isAlive(at now: Date, limits: SessionLimits, slack: Duration = .zero) -> Bool {
    let idle = limits.idle(isGuest: session.isGuest) + slack
    return now < session.endsAt && now.timeIntervalSince(seenAt) < idle.timeInterval
  }

  /// When the row may be thrown away.
  static func expiry(seenAt: Date, endsAt: Date, isGuest: Bool, limits: SessionLimits) -> Date {
    let idle = limits.idle(isGuest: isGuest) + limits.touchInterval(isGuest: isGuest)
    return min(endsAt, seenAt.addingTimeInterval(idle.timeInterval))
  }

  static func find(_ key: ServerSessionKey, now: Date, limits: SessionLimits, in db: GRDB.Database) throws
    -> SessionRecord?
  {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT sessions.attributes AS session_attributes, sessions.created_at AS session_created_at,
            sessions.seen_at, \(UserRow.columns)
          FROM sessions LEFT JOIN users ON users.id = sessions.user_id WHERE sessions.id_hash = ?
          """), arguments: [key.data])
    guard let row else { return nil }
    let id: String? = row["user_id"]
    let user = try id.map { _ in try UserRow(row).user }
    let created = Date(timeIntervalSince1970: row["session_created_at"])
    let seen = Date(timeIntervalSince1970: row["seen_at"])
    let session = ServerSession(
      user: user, attributes: try AttributesColumn.decode(row["session_attributes"]), createdAt: created,
      endsAt: created.addingTimeInterval(limits.absolute(isGuest: user == nil).timeInterval))
    let record = SessionRecord(session: session, seenAt: seen, storedSeenAt: seen)
    let slack = limits.touchInterval(isGuest: session.isGuest)
    guard user?.isDisabled != true, record.isAlive(at: now, limits: limits, slack: slack) else { return nil }
    return record
  }
}
