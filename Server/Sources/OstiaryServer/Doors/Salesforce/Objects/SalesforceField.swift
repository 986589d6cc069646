import HTTPTypes
import OstiaryCore

/// A field of an object.
struct SalesforceField: Sendable {
  enum Kind: String, Sendable {
    case id, string, textarea, picklist, boolean, datetime, reference, email, phone
  }

  let name: String
  let label: String
  let kind: Kind
  var length = 0
  /// The values of a picklist.
  var choices: [String] = []
  /// The objects to which a reference leads.
  var references: [String] = []
  /// Whether callers may set it.
  var isWritable = false
  /// Whether it must be set when a record is made.
  var isRequired = false
  /// Its value if the caller does not set it.
  var standard: JSONValue = .null

  /// The field as `describe` has it.
  var description: JSONValue {
    .object([
      "name": .string(name), "label": .string(label), "type": .string(kind.rawValue),
      "length": .integer(Int64(length)), "createable": .bool(isWritable), "updateable": .bool(isWritable),
      "nillable": .bool(!isRequired && kind != .id && kind != .boolean), "custom": false,
      "filterable": .bool(kind != .textarea), "sortable": .bool(kind != .textarea),
      "referenceTo": .array(references.map(JSONValue.string)),
      "picklistValues": .array(
        choices.map { choice in
          .object([
            "active": true, "defaultValue": .bool(standard == .string(choice)), "label": .string(choice),
            "value": .string(choice),
          ])
        }),
    ])
  }

  /// The value as it is kept.
  /// - Throws: `SalesforceDataFailure`.
  func checked(_ value: JSONValue) throws -> JSONValue {
    switch (kind, value) {
    case (_, .null): break
    case (.boolean, .bool): return value
    case (.boolean, _): throw invalid("JSON_PARSER_ERROR", "not a boolean: \(name)")
    case (_, .string(let text)):
      if text.isEmpty { break }
      guard text.unicodeScalars.count <= length else {
        throw invalid("STRING_TOO_LONG", "\(label): data value too large: (max length=\(length))")
      }
      if kind == .reference {
        guard let id = SalesforceRecordID(text) else {
          throw invalid("MALFORMED_ID", "\(label): id value of incorrect type: \(text)")
        }
        return .string(id.long)
      }
      return value
    default: throw invalid("JSON_PARSER_ERROR", "not a string: \(name)")
    }
    guard !isRequired else { throw Self.missing([name]) }
    return kind == .boolean ? .bool(false) : .null
  }

  static func missing(_ names: [String]) -> SalesforceDataFailure {
    SalesforceDataFailure(
      .badRequest, "REQUIRED_FIELD_MISSING", "Required fields are missing: [\(names.joined(separator: ", "))]",
      fields: names)
  }

  private func invalid(_ code: String, _ message: String) -> SalesforceDataFailure {
    SalesforceDataFailure(.badRequest, code, message, fields: [name])
  }
}
