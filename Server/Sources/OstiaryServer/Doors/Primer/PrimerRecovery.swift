import Foundation
import OstiaryCore

/// A recovery flow of the server, in the two calls of an app's backend: one mails a code, the other takes it with the new
/// password.
struct PrimerRecovery: Sendable {
  let flows: FlowService
  let client: FlowClient

  /// - Returns: the name of the recovery in later calls.
  func begin(_ email: String) async throws -> String {
    guard !email.isEmpty else { throw PrimerRefusal(["email": FlowIssue(.fieldRequired)]) }
    let flow = try flows.begin(.recover, for: client).id
    _ = try await submit(flow, .sendCode, "email", email)
    return flow
  }

  /// Takes the code, if it has not been shown yet, and the new password, if one is given.
  /// - Returns: the name of the recovery while a password is still missing.
  func goOn(_ flow: String, code: String?, password: String?) async throws -> String? {
    let current = try await flows.current(.recover, flow, for: client)
    if let refusal = PrimerRefusal(current) { throw refusal }
    let policy = flows.identity.passwordPolicy
    // Validated before the code: showing a right code uses it up.
    if let password, let issue = PrimerDoor.issue(ofNew: Secret(password), policy) {
      throw PrimerRefusal(["password": issue])
    }
    var step = current.document.step
    if step == .code {
      guard let code, !code.isEmpty else { throw PrimerRefusal(["code": FlowIssue(.fieldRequired)]) }
      step = try await submit(flow, .checkCode, "code", code)
      if password == nil { return flow }
    }
    guard let password else { throw PrimerRefusal(["password": FlowIssue(.fieldRequired)]) }
    try await submit(flow, .setPassword, "new_password", password)
    return nil
  }

  @discardableResult
  private func submit(_ flow: String, _ call: FlowCall, _ name: String, _ value: String) async throws -> FlowStep {
    let submission = FlowSubmission(
      flow: flow, action: call.rawValue, fields: [FormFields.Field(name: name, value: value)])
    let outcome = try await flows.submit(submission, to: .recover, for: client)
    if let refusal = PrimerRefusal(outcome, names: ["new_password": "password"]) { throw refusal }
    return outcome.document.step
  }
}
