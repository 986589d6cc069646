import Foundation
import OstiaryCore

/// One record, with the values of all its fields.
struct SalesforceRecord: Sendable {
  let object: SalesforceObject
  let id: SalesforceRecordID
  let fields: [String: JSONValue]

  /// The record in an answer.
  /// - Parameters:
  ///   - names: The requested fields; nil for all.
  ///   - version: Of the interface: `v59.0`.
  func json(_ names: [String]?, version: String) -> JSONValue {
    let url = "/services/data/\(version)/sobjects/\(object.name)/\(id.long)"
    var members: [String: JSONValue] = [
      "attributes": .object(["type": .string(object.name), "url": .string(url)])
    ]
    for name in names ?? object.fields.map(\.name) {
      guard let field = object.field(named: name) else { continue }
      members[field.name] = fields[field.name] ?? .null
    }
    return .object(members)
  }
}

extension SalesforceRecord {
  /// The record of a user of the org.
  init(_ user: User) {
    object = .user
    id = SalesforceRecordID(user)
    fields = [
      "Id": .string(id.long), "Username": .string(user.name), "Name": .string(user.displayName),
      "Email": user.email.map(JSONValue.string) ?? .null, "IsActive": .bool(!user.isDisabled),
      "CreatedDate": .string(SalesforceTime.record(user.createdAt)),
      "LastModifiedDate": .string(SalesforceTime.record(user.updatedAt)),
      "SystemModstamp": .string(SalesforceTime.record(user.updatedAt)),
    ]
  }

  /// The org.
  init(_ org: SalesforceOrg) {
    object = .organization
    id = org.id
    fields = [
      "Id": .string(id.long), "Name": .string(org.name), "IsSandbox": .bool(org.isSandbox),
      "OrganizationType": "Developer Edition",
    ]
  }
}

extension SalesforceRecordID {
  /// A user's id, derived from the id that the server has for them.
  init(_ user: User) {
    self.init(.user, derivedFrom: user.id)
  }
}
