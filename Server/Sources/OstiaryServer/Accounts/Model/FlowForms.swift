import Foundation

/// The fields of each step.
struct FlowForms: Sendable {
  /// The shortest new password, in code points.
  let minimumPassword: Int
  /// Whether the server can mail codes.
  let hasMail: Bool
  let offersSignUp: Bool

  static let codeLength = 8
  private static let mostEmail = 254

  func fields(_ kind: FlowKind, _ step: FlowStep) -> [FlowField] {
    switch step {
    case .credentials:
      [
        FlowField(
          name: "identifier", kind: .text, label: "Name or e-mail address", maximumLength: UserName.maximumCount,
          autofill: "username"),
        FlowField(
          name: "password", kind: .password, label: "Password", maximumLength: NormalizedPassword.maximumCount,
          autofill: "current-password"),
      ]
    case .details:
      [
        FlowField(
          name: "email", kind: .email, label: "E-mail address", maximumLength: Self.mostEmail, autofill: "email"),
        FlowField(
          name: "display_name", kind: .text, label: "Name", isRequired: false,
          maximumLength: UserName.maximumCount, autofill: "name"),
        newPassword("password", label: "Password"),
      ]
    case .address:
      [
        FlowField(
          name: "email", kind: .email, label: "E-mail address", maximumLength: Self.mostEmail, autofill: "email")
      ]
    case .code:
      [
        FlowField(
          name: "code", kind: .oneTimeCode, label: "Code from the mail", minimumLength: Self.codeLength,
          maximumLength: 32, autofill: "one-time-code")
      ]
    case .password: [newPassword("new_password", label: "New password")]
    case .settings:
      [
        FlowField(
          name: "display_name", kind: .text, label: "Name", maximumLength: UserName.maximumCount, autofill: "name"),
        FlowField(
          name: "current_password", kind: .password, label: "Current password",
          maximumLength: NormalizedPassword.maximumCount, autofill: "current-password"),
        newPassword("new_password", label: "New password"),
      ]
    case .done: []
    }
  }

  private func newPassword(_ name: String, label: String) -> FlowField {
    FlowField(
      name: name, kind: .newPassword, label: label, minimumLength: minimumPassword,
      maximumLength: NormalizedPassword.maximumCount, autofill: "new-password")
  }

  /// The names of the fields that a call sends.
  static func names(of call: FlowCall) -> [String] {
    switch call {
    case .login: ["identifier", "password"]
    case .signup: ["email", "display_name", "password"]
    case .sendCode: ["email"]
    case .checkCode: ["code"]
    case .resend: []
    case .setPassword: ["new_password"]
    case .save: ["display_name"]
    case .changePassword: ["current_password", "new_password"]
    }
  }

  func buttons(_ kind: FlowKind, _ step: FlowStep, resendAt: Date?) -> [FlowButton] {
    var buttons: [FlowButton] = []
    func call(_ call: FlowCall, _ label: String, role: FlowButton.Role = .primary, at date: Date? = nil) {
      buttons.append(
        FlowButton(target: .call(call), role: role, label: label, fields: Self.names(of: call), resendAt: date))
    }
    func link(_ kind: FlowKind, _ label: String) {
      buttons.append(FlowButton(target: .flow(kind), role: .link, label: label))
    }
    switch step {
    case .credentials: call(.login, "Sign in")
    case .details: call(.signup, "Create the account")
    case .address: call(.sendCode, "Send a code")
    case .code:
      call(.checkCode, "Continue")
      call(.resend, "Send another code", role: .secondary, at: resendAt)
    case .password: call(.setPassword, "Set the password")
    case .settings:
      call(.save, "Save")
      call(.changePassword, "Change the password", role: .secondary)
    case .done: break
    }
    switch kind {
    case .login:
      if hasMail { link(.recover, "Forgot the password?") }
      if hasMail, offersSignUp { link(.signup, "Create an account") }
    case .signup, .recover: link(.login, "Sign in")
    case .profile: break
    }
    return buttons
  }
}
