import Foundation
import OstiaryCore

/// Validates all fields of a submission.
struct FlowValidator: Sendable {
  let policy: PasswordPolicy
  /// The fields of the step.
  let fields: [FlowField]

  struct Result: Sendable {
    /// The first value of each field that belongs to the call.
    var values: [String: String] = [:]
    var problems: [FlowProblem] = []
  }

  func check(_ call: FlowCall, _ sent: [FormFields.Field]) -> Result {
    var result = Result()
    let names = FlowForms.names(of: call)
    for field in sent {
      guard names.contains(field.name) else {
        result.problems.append(FlowProblem(nil, .fieldUnknown))
        continue
      }
      guard result.values[field.name] == nil else {
        result.problems.append(FlowProblem(field.name, .fieldRepeated))
        continue
      }
      result.values[field.name] = field.value
    }
    for field in fields where names.contains(field.name) {
      if let problem = problem(field, result.values[field.name] ?? "") { result.problems.append(problem) }
    }
    return result
  }

  private func problem(_ field: FlowField, _ value: String) -> FlowProblem? {
    if value.isEmpty { return field.isRequired ? FlowProblem(field.name, .fieldRequired) : nil }
    let isLong = value.unicodeScalars.count > field.maximumLength || value.utf8.count > 4 * field.maximumLength
    switch field.kind {
    case .newPassword: return newPassword(field.name, value)
    case _ where isLong: return FlowProblem(field.name, .fieldTooLong, ["max_length": field.maximumLength])
    case .email: return MailAddress.typed(value) == nil ? FlowProblem(field.name, .emailInvalid) : nil
    case .oneTimeCode: return FlowCode(typed: value) == nil ? FlowProblem(field.name, .codeWrong) : nil
    // A name to sign in with may be any text: an impossible name is refused like a wrong one.
    case .text where field.autofill != "username":
      return (try? PersonName.validated(value)) == nil ? FlowProblem(field.name, .fieldCharacters) : nil
    case .text, .password: return nil
    }
  }

  private func newPassword(_ name: String, _ value: String) -> FlowProblem? {
    do {
      try policy.check(Secret(value))
      return nil
    } catch {
      return Self.problem(name, error, policy)
    }
  }

  /// The problem of a refused password.
  static func problem(_ field: String, _ error: ServerError, _ policy: PasswordPolicy) -> FlowProblem {
    switch error.code {
    case .passwordTooShort: FlowProblem(field, .passwordTooShort, ["min_length": policy.minimumLength])
    case .passwordTooCommon: FlowProblem(field, .passwordTooCommon)
    default: FlowProblem(field, .passwordTooLong, ["max_length": NormalizedPassword.maximumCount])
    }
  }
}
