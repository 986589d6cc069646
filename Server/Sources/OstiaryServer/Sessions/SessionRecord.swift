import Foundation
internal import OstiaryCore

/// A session and its times.
struct SessionRecord: Sendable {
  let session: ServerSession
  /// The last use, exact in memory.
  var seenAt: Date
  /// The last use as the database has it.
  var storedSeenAt: Date
  /// Calls since the database was last told.
  var uncounted = 0
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

  /// The session, unless it has ended.
  /// - Parameter isForUse: whether the transaction changes it by what it has read.
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
