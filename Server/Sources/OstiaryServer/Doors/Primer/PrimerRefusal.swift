import Foundation
import HTTPTypes
import OstiaryCore

/// Why a call is refused, in words that an app can show: the problem of the whole call, and the problem of each field.
struct PrimerRefusal: Error {
  var status: HTTPResponse.Status
  /// The problem that is not about one field.
  var issue: FlowIssue?
  /// A text in place of the issue's text.
  var text: String?
  var fields: [String: FlowIssue] = [:]
  var retryAfter: Duration?
  /// The event to record, if none has been recorded yet.
  var event: AuditEvent?

  /// Problems of fields only.
  init(_ fields: [String: FlowIssue] = [:]) {
    status = .unprocessableContent
    self.fields = fields
  }

  init(_ status: HTTPResponse.Status, _ issue: FlowIssue, retryAfter: Duration? = nil) {
    self.status = status
    self.issue = issue
    self.retryAfter = retryAfter
  }

  init(_ status: HTTPResponse.Status, _ text: String) {
    self.status = status
    self.text = text
  }

  /// The same refusal with an event to record.
  func telling(_ event: AuditEvent) -> PrimerRefusal {
    var refusal = self
    refusal.event = event
    return refusal
  }

  /// Too many attempts.
  static func wait(_ delay: Duration) -> PrimerRefusal {
    PrimerRefusal(
      .tooManyRequests, FlowIssue(.wait, ["seconds": Int(delay.timeInterval.rounded(.up))]), retryAfter: delay)
  }

  static func overloaded(_ delay: Duration) -> PrimerRefusal {
    PrimerRefusal(.serviceUnavailable, FlowIssue(.overloaded), retryAfter: delay)
  }

  /// A flow's outcome in the form of the app's backend.
  init?(_ outcome: FlowOutcome, names: [String: String] = [:]) {
    guard outcome.problem != nil else { return nil }
    let isPassing = outcome.status == .tooManyRequests || outcome.status == .serviceUnavailable
    status = isPassing ? outcome.status : .unprocessableContent
    retryAfter = outcome.retryAfter
    issue = outcome.document.issues.first { !$0.isInformation }
    for field in outcome.document.fields {
      if let issue = field.issues.first { fields[names[field.name] ?? field.name] = issue }
    }
  }

  /// `{"error": …, "code": …, "fields": {…}, "codes": {…}}`: the texts are for people, the codes, which never change,
  /// for programs, with the number that a code's text names (`limit`, `limits`). Without a problem of the whole call there
  /// is no `error`.
  var response: DoorResponse {
    get throws {
      var members: [String: JSONValue] = [
        "fields": .object(fields.mapValues { .string($0.text) }),
        "codes": .object(fields.mapValues { .string($0.code.rawValue) }),
      ]
      if let text = text ?? issue?.text { members["error"] = .string(text) }
      if let issue { members["code"] = .string(issue.code.rawValue) }
      if let limit = issue?.limit { members["limit"] = .integer(Int64(limit)) }
      let limits = fields.compactMapValues(\.limit)
      if !limits.isEmpty { members["limits"] = .object(limits.mapValues { .integer(Int64($0)) }) }
      let response = try DoorResponse.json(.object(members), status: status)
      return retryAfter.map { response.retrying(after: $0) } ?? response
    }
  }
}
