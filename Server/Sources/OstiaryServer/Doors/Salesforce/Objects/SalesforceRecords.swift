import Foundation
internal import OstiaryCore

/// The records that callers make: cases, and phones that are registered for push notifications.
struct SalesforceRecords: Sendable {
  let storage: ServerStorage
  let clock: any SessionClock
  /// The most records of one org.
  let most: Int

  /// The set of records that a call reaches.
  struct Place: Sendable {
    let org: SalesforceOrg
    let object: SalesforceObject
    /// The only user whose records are seen; nil for all users' records.
    let userID: String?
  }

  /// Adds a record.
  /// - Throws: `SalesforceDataFailure` `STORAGE_LIMIT_EXCEEDED`.
  func insert(_ fields: [String: JSONValue], of user: User, in place: Place) async throws -> SalesforceRecordID {
    let now = clock.now
    let number: Int64? = try await storage.write { [most] db in
      guard try db.count(SalesforceStatements.sql.count, place.org.id.short) < most else { return nil }
      let number = try db.newID(
        SalesforceStatements.sql.insert, place.org.id.short, place.object.name, user.id,
        try AttributesColumn.encode(fields), now, now)
      try SalesforceFilters.replace(number, in: db)
      return number
    }
    guard let number else { throw SalesforceDataFailure.storageLimitExceeded }
    return SalesforceRecordID(place.object.prefix, number: number)
  }

  /// The record of that id.
  func record(_ id: SalesforceRecordID, in place: Place) async throws(ServerError) -> SalesforceRecord? {
    guard let number = id.number(of: place.object.prefix) else { return nil }
    return try await storage.read { db in
      try db.first(SalesforceStatements.sql.find, number, place.org.id.short, place.object.name, place.userID) {
        try Self.record(&$0, place)
      }
    }
  }

  /// The records of these numbers, in their order.
  static func records(_ numbers: [Int64], _ place: Place, in db: StorageConnection) throws -> [SalesforceRecord] {
    guard !numbers.isEmpty else { return [] }
    var query = StorageQuery(SOQLStatements.sql.selectFields)
    query.add(list: numbers)
    let found = try db.all(query) { try record(&$0, place) }
    let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return numbers.compactMap { byID[SalesforceRecordID(place.object.prefix, number: $0)] }
  }

  /// Changes a record.
  /// - Returns: Whether there is such a record.
  func update(_ id: SalesforceRecordID, _ fields: [String: JSONValue], in place: Place) async throws(ServerError)
    -> Bool
  {
    guard let number = id.number(of: place.object.prefix) else { return false }
    let now = clock.now
    return try await storage.write { db in
      let text: String? = try db.value(
        SalesforceStatements.sql.fieldsForUse, number, place.org.id.short, place.object.name, place.userID)
      guard let text else { return false }
      let changed = try AttributesColumn.decode(text).merging(fields) { $1 }
      try db.run(SalesforceStatements.sql.update, try AttributesColumn.encode(changed), now, number)
      try SalesforceFilters.replace(number, in: db)
      return true
    }
  }

  /// Removes a record.
  /// - Returns: Whether there was one.
  func delete(_ id: SalesforceRecordID, in place: Place) async throws(ServerError) -> Bool {
    guard let number = id.number(of: place.object.prefix) else { return false }
    return try await storage.write { db in
      try db.changed(
        by: SalesforceStatements.sql.delete, number, place.org.id.short, place.object.name, place.userID) > 0
    }
  }

  private static func record(_ reader: inout ColumnReader, _ place: Place) throws -> SalesforceRecord {
    let number: Int64 = reader.next()
    let owner: JSONValue = .string(SalesforceRecordID(.user, derivedFrom: reader.next()).long)
    var fields = try AttributesColumn.decode(reader.next())
    let id = SalesforceRecordID(place.object.prefix, number: number)
    let created = SalesforceTime.record(reader.next())
    let updated = SalesforceTime.record(reader.next())
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
