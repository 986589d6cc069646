import Foundation
internal import GRDB
internal import OstiaryCore

/// The records that callers make: cases, and phones that want to be told of news.
struct SalesforceRecords: Sendable {
  let storage: ServerStorage
  let clock: any SessionClock
  /// The most that one org may have.
  let most: Int

  /// Whose records are meant.
  struct Place: Sendable {
    let org: SalesforceOrg
    let object: SalesforceObject
    /// The only user whose records are seen; nil for everybody's.
    let userID: String?
  }

  /// Adds a record.
  /// - Throws: ``SalesforceFailure`` `STORAGE_LIMIT_EXCEEDED`.
  func insert(_ fields: [String: JSONValue], of user: User, in place: Place) async throws -> SalesforceID {
    let now = clock.now.timeIntervalSince1970
    let number: Int64? = try await storage.write { [most] db in
      let count = try Int.fetchOne(
        db.cachedStatement(sql: "SELECT count(*) FROM salesforce_records WHERE org = ?"),
        arguments: [place.org.id.short])
      guard count ?? 0 < most else { return nil }
      try db.cachedStatement(
        sql: """
          INSERT INTO salesforce_records (org, object, user_id, fields, created_at, updated_at)
          VALUES (?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        place.org.id.short, place.object.name, user.id, try AttributesColumn.encode(fields), now, now,
      ])
      return db.lastInsertedRowID
    }
    guard let number else { throw SalesforceFailure.storageLimitExceeded }
    return SalesforceID(place.object.prefix, number: number)
  }

  /// The record of that id.
  func record(_ id: SalesforceID, in place: Place) async throws(ServerError) -> SalesforceRecord? {
    guard let number = id.number(of: place.object.prefix) else { return nil }
    return try await storage.read { db in
      try Row.fetchOne(
        db, sql: "SELECT \(Self.columns) WHERE number = :number AND \(Self.condition)",
        arguments: Self.arguments(place, number)
      ).map { try Self.record($0, place) }
    }
  }

  /// All records, the oldest first.
  func records(in place: Place) async throws(ServerError) -> [SalesforceRecord] {
    try await storage.read { db in
      try Row.fetchAll(
        db, sql: "SELECT \(Self.columns) WHERE \(Self.condition) ORDER BY number", arguments: Self.arguments(place)
      ).map { try Self.record($0, place) }
    }
  }

  /// Changes a record.
  /// - Returns: Whether there is such a record.
  func update(_ id: SalesforceID, _ fields: [String: JSONValue], in place: Place) async throws(ServerError) -> Bool {
    guard let number = id.number(of: place.object.prefix) else { return false }
    let now = clock.now.timeIntervalSince1970
    return try await storage.write { db in
      let text = try String.fetchOne(
        db, sql: "SELECT fields FROM salesforce_records WHERE number = :number AND \(Self.condition)",
        arguments: Self.arguments(place, number))
      guard let text else { return false }
      let changed = try AttributesColumn.decode(text).merging(fields) { $1 }
      try db.execute(
        sql: "UPDATE salesforce_records SET fields = ?, updated_at = ? WHERE number = ?",
        arguments: [try AttributesColumn.encode(changed), now, number])
      return true
    }
  }

  /// Removes a record.
  /// - Returns: Whether there was one.
  func delete(_ id: SalesforceID, in place: Place) async throws(ServerError) -> Bool {
    guard let number = id.number(of: place.object.prefix) else { return false }
    return try await storage.write { db in
      try db.execute(
        sql: "DELETE FROM salesforce_records WHERE number = :number AND \(Self.condition)",
        arguments: Self.arguments(place, number))
      return db.changesCount > 0
    }
  }

  private static let columns = "number, user_id, fields, created_at, updated_at FROM salesforce_records"
  private static let condition = "org = :org AND object = :object AND (:user IS NULL OR user_id = :user)"

  private static func arguments(_ place: Place, _ number: Int64? = nil) -> StatementArguments {
    let arguments: StatementArguments = [
      "org": place.org.id.short, "object": place.object.name, "user": place.userID,
    ]
    return number.map { arguments + ["number": $0] } ?? arguments
  }

  private static func record(_ row: Row, _ place: Place) throws -> SalesforceRecord {
    let number: Int64 = row["number"]
    let owner: JSONValue = .string(SalesforceID(.user, derivedFrom: row["user_id"]).long)
    let id = SalesforceID(place.object.prefix, number: number)
    let created = SalesforceTime.record(Date(timeIntervalSince1970: row["created_at"]))
    let updated = SalesforceTime.record(Date(timeIntervalSince1970: row["updated_at"]))
    var fields = try AttributesColumn.decode(row["fields"])
    fields["Id"] = .string(id.long)
    fields["OwnerId"] = owner
    fields["CreatedById"] = owner
    fields["CreatedDate"] = .string(created)
    fields["LastModifiedDate"] = .string(updated)
    fields["SystemModstamp"] = .string(updated)
    fields["IsDeleted"] = false
    if place.object.name == SalesforceObject.theCase.name {
      let isClosed = fields["Status"] == "Closed"
      fields["CaseNumber"] = .string(String(repeating: "0", count: max(0, 8 - String(number).count)) + String(number))
      fields["IsClosed"] = .bool(isClosed)
      fields["ClosedDate"] = isClosed ? .string(updated) : .null
    }
    return SalesforceRecord(object: place.object, id: id, fields: fields)
  }
}
