import HTTPTypes
import OstiaryCore

/// A kind of record, and the operations on it.
struct SalesforceObject: Sendable {
  let name: String
  let label: String
  let plural: String
  let prefix: SalesforceRecordID.Prefix
  let fields: [SalesforceField]
  /// Whether callers may add records; users and the org itself have other sources.
  let isCreatable: Bool
  /// Whether callers may change records.
  let isUpdatable: Bool
  /// Whether only the user who made a record sees it.
  let isPrivate: Bool

  /// The objects that the door knows.
  static let all = [theCase, pushDevice, user, organization]

  /// The object of that name; upper and lower case are the same.
  /// - Throws: `SalesforceDataFailure` `NOT_FOUND`.
  static func named(_ name: String) throws -> SalesforceObject {
    guard let object = all.first(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw SalesforceDataFailure.notFound
    }
    return object
  }

  /// The field of that name, ignoring case.
  func field(named name: String) -> SalesforceField? {
    fields.first { $0.name.lowercased() == name.lowercased() }
  }

  /// The fields of a record that a caller makes, with what stands for those that it doesn't name.
  /// - Throws: `SalesforceDataFailure`.
  func newFields(_ given: [String: JSONValue]) throws -> [String: JSONValue] {
    let given = try changedFields(given)
    let missing = fields.filter { $0.isRequired && given[$0.name] == nil }.map(\.name)
    guard missing.isEmpty else { throw SalesforceField.missing(missing) }
    var all: [String: JSONValue] = [:]
    for field in fields where field.isWritable { all[field.name] = given[field.name] ?? field.standard }
    return all
  }

  /// The fields that a caller changes, by their own names.
  /// - Throws: `SalesforceDataFailure`.
  func changedFields(_ given: [String: JSONValue]) throws -> [String: JSONValue] {
    var changed: [String: JSONValue] = [:]
    for (name, value) in given where name != "attributes" {
      guard let field = field(named: name) else {
        throw SalesforceDataFailure(
          .badRequest, "INVALID_FIELD", "No such column '\(name)' on sobject of type \(self.name)")
      }
      guard field.isWritable else {
        throw SalesforceDataFailure(
          .badRequest, "INVALID_FIELD_FOR_INSERT_UPDATE",
          "Unable to create/update fields: \(field.name). Please check the security settings of this field and verify "
            + "that it is read/write for your profile or permission set.", fields: [field.name])
      }
      changed[field.name] = try field.checked(value)
    }
    return changed
  }

  // MARK: Describing

  /// The description of an object in lists and in `describe`.
  func summary(version: String) -> [String: JSONValue] {
    let path = "/services/data/\(version)/sobjects/\(name)"
    return [
      "name": .string(name), "label": .string(label), "labelPlural": .string(plural),
      "keyPrefix": .string(prefix.rawValue), "createable": .bool(isCreatable), "updateable": .bool(isUpdatable),
      "deletable": .bool(isCreatable), "queryable": true, "retrieveable": true, "custom": false,
      "urls": .object([
        "sobject": .string(path), "describe": .string(path + "/describe"), "rowTemplate": .string(path + "/{ID}"),
      ]),
    ]
  }

  /// The answer of `describe`.
  func description(version: String) -> JSONValue {
    var members = summary(version: version)
    members["fields"] = .array(fields.map(\.description))
    members["childRelationships"] = .array([])
    members["recordTypeInfos"] = .array([])
    return .object(members)
  }
}
