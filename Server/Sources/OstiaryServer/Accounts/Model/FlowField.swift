import OstiaryCore

/// One field of a form.
struct FlowField: Hashable, Sendable {
  /// The kind of its content; each kind has its own input and autofill.
  enum Kind: String, CaseIterable, Sendable {
    case text, email, password
    case newPassword = "new_password"
    case oneTimeCode = "one_time_code"

    /// Whether the server never sends its value back.
    var isSecret: Bool { self == .password || self == .newPassword || self == .oneTimeCode }
  }

  let name: String
  let kind: Kind
  let label: AccountText
  var isRequired = true
  /// In Unicode code points.
  var minimumLength: Int?
  var maximumLength: Int
  /// The token of the HTML standard's autofill.
  let autofill: String
  /// The initial value; never for a secret kind.
  var value: String?
  var issues: [FlowIssue] = []

  func json(in texts: AccountTexts) -> JSONValue {
    var constraints: [String: JSONValue] = ["max_length": .integer(Int64(maximumLength))]
    if let minimumLength { constraints["min_length"] = .integer(Int64(minimumLength)) }
    var members: [String: JSONValue] = [
      "name": .string(name), "kind": .string(kind.rawValue), "required": .bool(isRequired),
      "label": .object(["code": .string("label.\(name)"), "text": .string(texts(label))]),
      "constraints": .object(constraints), "autofill": .string(autofill),
      "issues": .array(issues.map { $0.json(in: texts) }),
    ]
    if let value { members["value"] = .string(value) }
    return .object(members)
  }
}
