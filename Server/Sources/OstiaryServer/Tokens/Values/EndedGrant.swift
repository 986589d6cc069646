import Foundation

/// A grant whose row has been removed with all its tokens.
struct EndedGrant: Sendable {
  let id: Int64
  private let clientID: String
  private let userID: String?
  private let calls: Int

  /// How a statement that removes grants ends.
  static let columns: StaticString = "RETURNING id, client_id, user_id, calls"

  /// In the order in which the statements return it.
  init(_ reader: inout ColumnReader) {
    (id, clientID, userID, calls) = (reader.next(), reader.next(), reader.next(), reader.next())
  }

  /// Tells of the ends.
  static func note(
    _ ended: [EndedGrant], _ cause: AuditCause, _ trail: AuditTrail, in db: StorageConnection
  ) throws {
    for grant in ended {
      try trail.note(
        AuditEvent(
          .grantEnded, cause, user: grant.userID, client: grant.clientID, grant: grant.id, calls: grant.calls), in: db)
    }
  }
}
