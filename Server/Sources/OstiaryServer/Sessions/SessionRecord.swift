package import Foundation
package import OstiaryCore

/// A session and its times.
struct SessionRecord: Sendable {
  let session: ServerSession
  /// The last use, exact in memory.
  var seenAt: Date
  /// The last use as the database has it.
  var storedSeenAt: Date
  /// Calls since the count was last written to the database.
  var uncounted = 0
  /// The number of the stamp that it was read under, if it may be believed; see `CacheStamp`.
  var validity: UInt64?

  /// Whether the idle and the absolute limit allow another use.
  /// - Parameter slack: how far the stored last use may lag behind the actual one.
  func isAlive(at now: Date, limits: SessionLimits, slack: Duration = .zero) -> Bool {
    let idle = limits.idle(isGuest: session.isGuest) + slack
    return now < session.endsAt && now.timeIntervalSince(seenAt) < idle.timeInterval
  }

  /// The time after which the row may be removed.
  static func expiry(seenAt: Date, endsAt: Date, isGuest: Bool, limits: SessionLimits) -> Date {
    let idle = limits.idle(isGuest: isGuest) + limits.touchInterval(isGuest: isGuest)
    return min(endsAt, seenAt.addingTimeInterval(idle.timeInterval))
  }

  /// The session, unless it has ended.
  /// - Parameter isForUse: whether the transaction changes the session depending on the values read.
  static func find(
    _ key: ServerSessionKey, isForUse: Bool = false, now: Date, limits: SessionLimits, in db: StorageConnection
  ) throws -> SessionRecord? {
    let statement = isForUse ? SessionStatements.sql.byKeyForUse : SessionStatements.sql.byKey
    let record = try db.first(statement, key.data) { try SessionRecord(&$0, limits: limits) }
    guard let record, record.session.user?.isDisabled != true else { return nil }
    let slack = limits.touchInterval(isGuest: record.session.isGuest)
    return record.isAlive(at: now, limits: limits, slack: slack) ? record : nil
  }
}

extension SessionRecord {
  private init(_ reader: inout ColumnReader, limits: SessionLimits) throws {
    let (attributes, createdAt, seenAt): (String, Double, Double) = (reader.next(), reader.next(), reader.next())
    let userID: String? = reader.next()
    let user = try userID.map { _ in try UserRow(&reader).user }
    let created = Date(timeIntervalSince1970: createdAt)
    session = ServerSession(
      user: user, attributes: try AttributesColumn.decode(attributes), createdAt: created,
      endsAt: created.addingTimeInterval(limits.absolute(isGuest: user == nil).timeInterval))
    self.seenAt = Date(timeIntervalSince1970: seenAt)
    storedSeenAt = self.seenAt
  }
}

/// A session of the server. It does not contain its id: only the client has the id.
package struct ServerSession: Hashable, Sendable {
  /// The session's user; nil for a guest.
  package let user: User?
  /// Values that doors store with it, for example a count of attempts.
  package let attributes: [String: JSONValue]
  /// When it began.
  package let createdAt: Date
  /// When it ends at the latest.
  package let endsAt: Date
  /// Whether the client has not signed in.
  package var isGuest: Bool { user == nil }
}

/// A session that has just begun, with the only copy of its id.
package struct IssuedSession: Sendable {
  /// 256 random bits, 43 characters of base64url, which the client presents from now on.
  package let id: Secret
  /// The session.
  package let session: ServerSession
}

/// A session whose row has been removed.
struct EndedSession: Sendable {
  private let hash: Data
  /// `nil` for a guest, whose end is not recorded.
  private let userID: String?
  private let calls: Int

  /// In the order in which the statements return it.
  init(_ reader: inout ColumnReader) {
    (hash, userID, calls) = (reader.next(), reader.next(), reader.next())
  }

  /// What caches have to forget.
  var end: StorageEnd { .session(hash) }

  /// Records the end of users' sessions.
  static func note(
    _ ended: [EndedSession], _ cause: AuditCause, _ trail: AuditTrail, in db: StorageConnection
  ) throws {
    for session in ended {
      guard let userID = session.userID else { continue }
      let mark = AuditEvent.mark(ofSession: session.hash)
      try trail.note(
        AuditEvent(.sessionEnded, cause, user: userID, session: mark, calls: session.calls), in: db)
    }
  }
}
