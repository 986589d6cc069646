import Foundation
import OstiaryCore

/// A flow as clients see it: what to fill in, what to press, and what was wrong. Pages, the JSON interface and challenges
/// all show this one document.
///
/// It holds no markup and no token against forgery: these belong to the way it travels. Members are only ever added.
struct FlowDocument: Hashable, Sendable {
  /// The version of the shape.
  static let version = 1

  /// What comes after the end.
  enum Next: String, Sendable {
    /// Signed in.
    case session
    /// Sign in.
    case login
    /// Begin the same flow again.
    case again
  }

  /// What names the flow in the next call: a secret of the client that began it.
  let id: String
  let kind: FlowKind
  let step: FlowStep
  let expiresAt: Date
  var fields: [FlowField] = []
  /// What is not about one field.
  var issues: [FlowIssue] = []
  var buttons: [FlowButton] = []
  /// Wrong codes that are still looked at.
  var attemptsLeft: Int?
  /// When trying again makes sense.
  var retryAt: Date?
  var next: Next?

  /// The document as JSON. It is the same whether or not an account exists.
  /// - Parameter session: Further members of what comes next.
  func json(session: [String: JSONValue] = [:]) -> JSONValue {
    var limits: [String: JSONValue] = [:]
    if let attemptsLeft { limits["attempts_left"] = .integer(Int64(attemptsLeft)) }
    if let retryAt { limits["retry_at"] = .string(FlowTime.text(retryAt)) }
    var members: [String: JSONValue] = [
      "version": .integer(Int64(Self.version)),
      "flow": .object([
        "id": .string(id), "kind": .string(kind.rawValue), "step": .string(step.rawValue),
        "expires_at": .string(FlowTime.text(expiresAt)), "locale": "en",
      ]),
      "fields": .array(fields.map(\.json)), "issues": .array(issues.map(\.json)),
      "actions": .array(buttons.map(\.json)), "limits": .object(limits),
    ]
    if let next {
      members["next"] = .object(session.merging(["type": .string(next.rawValue)]) { _, type in type })
    }
    return .object(members)
  }

  /// Puts each issue on its field, or on the whole where no field has the name.
  mutating func add(_ problems: [FlowProblem]) {
    for problem in problems {
      if let name = problem.field, let index = fields.firstIndex(where: { $0.name == name }) {
        fields[index].issues.append(problem.issue)
      } else if !issues.contains(problem.issue) {
        issues.append(problem.issue)
      }
    }
  }

  /// Shows again what was sent, unless it is secret.
  mutating func keep(_ values: [String: String]) {
    for index in fields.indices where !fields[index].kind.isSecret {
      if let value = values[fields[index].name], value.unicodeScalars.count <= fields[index].maximumLength {
        fields[index].value = value
      }
    }
  }
}

/// Times as documents have them: RFC 3339 in UTC, whole seconds.
enum FlowTime {
  static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}
