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
          name: "identifier", kind: .text, label: .identifierLabel, maximumLength: UserName.maximumCount,
          autofill: "username"),
        FlowField(
          name: "password", kind: .password, label: .passwordLabel, maximumLength: NormalizedPassword.maximumCount,
          autofill: "current-password"),
      ]
    case .details:
      [
        FlowField(
          name: "email", kind: .email, label: .emailLabel, maximumLength: Self.mostEmail, autofill: "email"),
        FlowField(
          name: "display_name", kind: .text, label: .displayNameLabel, isRequired: false,
          maximumLength: UserName.maximumCount, autofill: "name"),
        newPassword("password", label: .passwordLabel),
      ]
    case .address:
      [
        FlowField(
          name: "email", kind: .email, label: .emailLabel, maximumLength: Self.mostEmail, autofill: "email")
      ]
    case .code:
      [
        FlowField(
          name: "code", kind: .oneTimeCode, label: .codeLabel, minimumLength: Self.codeLength,
          maximumLength: 32, autofill: "one-time-code")
      ]
    case .password: [newPassword("new_password", label: .newPasswordLabel)]
    case .settings:
      [
        FlowField(
          name: "display_name", kind: .text, label: .displayNameLabel, maximumLength: UserName.maximumCount,
          autofill: "name"),
        FlowField(
          name: "current_password", kind: .password, label: .currentPasswordLabel,
          maximumLength: NormalizedPassword.maximumCount, autofill: "current-password"),
        newPassword("new_password", label: .newPasswordLabel),
      ]
    case .done: []
    }
  }

  private func newPassword(_ name: String, label: AccountText) -> FlowField {
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

  /// The link with which another flow of the kind begins; nil if none is offered.
  func beginning(_ kind: FlowKind) -> FlowButton? {
    switch kind {
    case .login, .profile: nil
    case .signup: FlowButton(target: .flow(.signup), role: .link, label: .makeAccount)
    case .recover: FlowButton(target: .flow(.recover), role: .link, label: .forgotPassword)
    }
  }

  func buttons(_ kind: FlowKind, _ step: FlowStep, resendAt: Date?) -> [FlowButton] {
    var buttons: [FlowButton] = []
    func call(_ call: FlowCall, _ label: AccountText, role: FlowButton.Role = .primary, at date: Date? = nil) {
      buttons.append(
        FlowButton(target: .call(call), role: role, label: label, fields: Self.names(of: call), resendAt: date))
    }
    func link(_ kind: FlowKind, _ label: AccountText) {
      buttons.append(FlowButton(target: .flow(kind), role: .link, label: label))
    }
    switch step {
    case .credentials: call(.login, .signIn)
    case .details: call(.signup, .createAccount)
    case .address: call(.sendCode, .sendCode)
    case .code:
      call(.checkCode, .goOn)
      call(.resend, .resend, role: .secondary, at: resendAt)
    case .password: call(.setPassword, .setPassword)
    case .settings:
      call(.save, .save)
      call(.changePassword, .changePassword, role: .secondary)
    // A person with a session goes on from its page.
    case .done: if kind == .login { link(.login, .signInAgain) }
    }
    switch kind {
    case .login:
      if hasMail { link(.recover, .forgotPassword) }
      if hasMail, offersSignUp { link(.signup, .makeAccount) }
    case .signup, .recover: link(.login, .signIn)
    case .profile: break
    }
    return buttons
  }
}
