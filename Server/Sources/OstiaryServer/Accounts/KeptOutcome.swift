import Foundation
import HTTPTypes

/// The outcome of a submission, as far as its answer can't be drawn again from the flow's token and the submission itself. Values
/// that were sent are not in it, and no session: its proof is derived again.
struct KeptOutcome: Codable, Sendable {
  private struct Issue: Codable {
    let field: String?
    let code: String
    let parameters: [String: Int]
  }

  /// The turn of the forms after it.
  let turn: Int
  private let statusCode: Int
  private let problemCode: String?
  private let stepName: String
  private let issues: [Issue]
  let attemptsLeft: Int?
  let resendAt: Date?
  private let nextName: String?
  /// The user who signed in.
  let userID: String?

  init(_ outcome: FlowOutcome) {
    let document = outcome.document
    turn = document.turn
    statusCode = outcome.status.code
    problemCode = outcome.problem?.rawValue
    stepName = document.step.rawValue
    issues =
      document.issues.map { Issue(field: nil, code: $0.code.rawValue, parameters: $0.parameters) }
      + document.fields.flatMap { field in
        field.issues.map { Issue(field: field.name, code: $0.code.rawValue, parameters: $0.parameters) }
      }
    attemptsLeft = document.attemptsLeft
    resendAt = document.buttons.lazy.compactMap(\.resendAt).first
    nextName = document.next?.rawValue
    userID = outcome.signedIn?.id
  }

  var status: HTTPResponse.Status {
    (100...599).contains(statusCode) ? HTTPResponse.Status(integerLiteral: statusCode) : .conflict
  }
  var problem: FlowIssue.Code? { problemCode.flatMap { FlowIssue.Code(rawValue: $0) } }
  /// Nil for a step of another version of the server.
  var step: FlowStep? { FlowStep(rawValue: stepName) }
  var next: FlowDocument.Next? { nextName.flatMap { FlowDocument.Next(rawValue: $0) } }

  var problems: [FlowProblem] {
    issues.compactMap { issue in
      FlowIssue.Code(rawValue: issue.code).map { FlowProblem(issue.field, $0, issue.parameters) }
    }
  }
}

extension FlowOutcome {
  /// What a second submission gets. A refusal of a guess counts once, so it is kept; others are found again and change nothing.
  var fate: SubmissionStore.Fate {
    switch problem {
    case nil: .accepted
    case .codeWrong, .codeExhausted, .credentialsWrong, .passwordWrong: .refused
    default: .forgotten
    }
  }
}
