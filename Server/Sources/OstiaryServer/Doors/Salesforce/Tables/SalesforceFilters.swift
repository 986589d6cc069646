import Foundation
import OstiaryCore

/// The row by which queries find a record.
struct SalesforceFilters: Sendable {
  let number: Int64
  private let place: (org: String, object: String, userID: String)
  private let times: (created: Date, updated: Date)
  private let bytes: Int
  private let fields: [String: JSONValue]

  /// Reads a whole record.
  init(_ reader: inout ColumnReader) throws {
    number = reader.next()
    place = (reader.next(), reader.next(), reader.next())
    let text: String = reader.next()
    bytes = text.utf8.count
    fields = try AttributesColumn.decode(text)
    times = (reader.next(), reader.next())
  }

  /// Replaces the row of a record.
  static func replace(_ number: Int64, in db: StorageConnection) throws {
    try db.run(SalesforceStatements.sql.removeFilters, number)
    try db.first(SalesforceStatements.sql.recordForFilters, number) { try SalesforceFilters(&$0) }?.insert(in: db)
  }

  func insert(in db: StorageConnection) throws {
    func key(_ name: String) -> String? { SOQLKey.of(fields[name]) }
    try db.run(
      SalesforceStatements.sql.addFilters, number, place.org, place.object, place.userID, times.created, times.updated,
      SOQLKey.of(SalesforceRecordID(.user, derivedFrom: place.userID).long), bytes, fields["Status"] == "Closed",
      key("Subject"), key("Status"), key("Priority"), key("Origin"), key("Type"), key("Reason"), key("SuppliedName"),
      key("SuppliedEmail"), key("SuppliedPhone"), key("SuppliedCompany"), key("ContactId"), key("AccountId"),
      key("ConnectionToken"), key("ServiceType"), key("ApplicationBundle"), key("NetworkId"), key("CipherName"))
  }
}
