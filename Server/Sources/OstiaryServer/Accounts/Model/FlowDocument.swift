import Foundation
import OstiaryCore

/// A flow as clients see it: the fields, the buttons, and the problems. Pages, the JSON interface and challenges all
/// show this one document.
///
/// It has no markup and no CSRF token: these belong to the interface. Members are only ever added.
struct FlowDocument: Hashable, Sendable {
  /// The version of the shape.
  static let version = 1

  /// The step after the end.
  enum Next: String, Sendable {
    /// The client is signed in.
    case session
    /// The user signs in next.
    case login
    /// The same flow begins again.
    case again
  }

  /// Identifies the flow in the next call: a secret of the client that began it.
  let id: String
  let kind: FlowKind
  let step: FlowStep
  let expiresAt: Date
  /// Grows with each submission that has been acted upon. The next call repeats it: a call that is sent again then gets the first
  /// one's answer.
  var turn = 0
  /// The language of its texts (BCP 47).
  var language = AccountTexts.standard
  var fields: [FlowField] = []
  /// Issues that are not about one field.
  var issues: [FlowIssue] = []
  var buttons: [FlowButton] = []
  /// The number of wrong codes that are still verified.
  var attemptsLeft: Int?
  /// When trying again makes sense.
  var retryAt: Date?
  var next: Next?

  /// The document as JSON. It is the same whether or not an account exists.
  /// - Parameter session: Further members of `next`.
  func json(session: [String: JSONValue] = [:]) -> JSONValue {
    let texts = AccountTexts(language)
    var limits: [String: JSONValue] = [:]
    if let attemptsLeft { limits["attempts_left"] = .integer(Int64(attemptsLeft)) }
    if let retryAt { limits["retry_at"] = .string(FlowTime.text(retryAt)) }
    var members: [String: JSONValue] = [
      "version": .integer(Int64(Self.version)),
      "flow": .object([
        "id": .string(id), "turn": .integer(Int64(turn)), "kind": .string(kind.rawValue),
        "step": .string(step.rawValue),
        "expires_at": .string(FlowTime.text(expiresAt)), "locale": .string(language),
      ]),
      "fields": .array(fields.map { $0.json(in: texts) }), "issues": .array(issues.map { $0.json(in: texts) }),
      "actions": .array(buttons.map { $0.json(in: texts) }), "limits": .object(limits),
    ]
    if let next {
      members["next"] = .object(session.merging(["type": .string(next.rawValue)]) { _, type in type })
    }
    return .object(members)
  }

  /// The issues of the whole and of the fields.
  var allIssues: [FlowIssue] { issues + fields.flatMap(\.issues) }

  /// Puts each issue on its field, or on the whole document if no field has the name.
  mutating func add(_ problems: [FlowProblem]) {
    for problem in problems {
      if let name = problem.field, let index = fields.firstIndex(where: { $0.name == name }) {
        fields[index].issues.append(problem.issue)
      } else if !issues.contains(problem.issue) {
        issues.append(problem.issue)
      }
    }
  }

  /// Shows the submitted values again, except those of secret fields.
  mutating func keep(_ values: [String: String]) {
    for index in fields.indices where !fields[index].kind.isSecret {
      if let value = values[fields[index].name], value.unicodeScalars.count <= fields[index].maximumLength {
        fields[index].value = value
      }
    }
  }
}

/// Times in documents: RFC 3339 in UTC, whole seconds.
enum FlowTime {
  static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}
