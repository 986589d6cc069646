import Foundation

/// A session whose row has been removed.
struct EndedSession: Sendable {
  private let hash: Data
  /// Nobody's for a guest, of whom nothing is told.
  private let userID: String?
  private let calls: Int

  /// In the order in which the statements return it.
  init(_ reader: inout ColumnReader) {
    (hash, userID, calls) = (reader.next(), reader.next(), reader.next())
  }

  /// Tells of the end of users' sessions.
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
