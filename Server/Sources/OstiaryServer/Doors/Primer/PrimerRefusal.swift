import Foundation
import HTTPTypes
import OstiaryCore

/// Why a call comes to nothing, in words that an app can show: what is wrong as a whole, and with each field.
struct PrimerRefusal: Error {
  var status: HTTPResponse.Status
  /// About no one field.
  var issue: FlowIssue?
  /// In place of the issue's words.
  var text: String?
  var fields: [String: FlowIssue] = [:]
  var retryAfter: Duration?
  /// What is told of it, where nothing has been told yet.
  var event: AuditEvent?

  /// About fields alone.
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

  /// The same, with what is told of it.
  func telling(_ event: AuditEvent) -> PrimerRefusal {
    var refusal = self
    refusal.event = event
    return refusal
  }

  /// Too many tries.
  static func wait(_ delay: Duration) -> PrimerRefusal {
    PrimerRefusal(
      .tooManyRequests, FlowIssue(.wait, ["seconds": Int(delay.timeInterval.rounded(.up))]), retryAfter: delay)
  }

  static func overloaded(_ delay: Duration) -> PrimerRefusal {
    PrimerRefusal(.serviceUnavailable, FlowIssue(.overloaded), retryAfter: delay)
  }

  /// What a flow has said, as the app's backend says it.
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

  /// `{"error": …, "code": …, "fields": {…}, "codes": {…}}`: the texts are for people, the codes, which never change, for
  /// programs. Without anything that is wrong as a whole there is no `error`.
  var response: DoorResponse {
    get throws {
      var members: [String: JSONValue] = [
        "fields": .object(fields.mapValues { .string($0.text) }),
        "codes": .object(fields.mapValues { .string($0.code.rawValue) }),
      ]
      if let text = text ?? issue?.text { members["error"] = .string(text) }
      if let issue { members["code"] = .string(issue.code.rawValue) }
      let response = try DoorResponse.json(.object(members), status: status)
      return retryAfter.map { response.retrying(after: $0) } ?? response
    }
  }
}
