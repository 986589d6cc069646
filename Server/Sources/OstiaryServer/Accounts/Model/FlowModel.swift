/// The complete list of the calls that each step allows. A call that is not listed is refused and changes nothing.
///
/// Only `checkCode` leads to `setPassword`: its success alone sets the step to `password`.
enum FlowModel {
  static let calls: [FlowKind: [FlowStep: Set<FlowCall>]] = [
    .login: [.credentials: [.login]],
    .signup: [.details: [.signup], .code: [.checkCode, .resend]],
    .recover: [.address: [.sendCode], .code: [.checkCode, .resend], .password: [.setPassword]],
    .profile: [.settings: [.save, .changePassword]],
  ]

  static func allows(_ call: FlowCall, _ kind: FlowKind, at step: FlowStep) -> Bool {
    calls[kind]?[step]?.contains(call) ?? false
  }
}

/// The subject of a flow.
enum FlowKind: String, CaseIterable, Sendable {
  case login, signup, recover, profile

  /// The step at which it begins.
  var firstStep: FlowStep {
    switch self {
    case .login: .credentials
    case .signup: .details
    case .recover: .address
    case .profile: .settings
    }
  }

  /// Whether the flow mails a code.
  var needsMail: Bool { self == .signup || self == .recover }
}

/// The current step of a flow.
enum FlowStep: String, CaseIterable, Sendable {
  /// Name and password.
  case credentials
  /// The data of a new account.
  case details
  /// The address to which a code is mailed.
  case address
  /// The code that was mailed, if one was.
  case code
  /// A new password; only a right code leads here.
  case password
  /// The values that a user can change.
  case settings
  /// The end; no call is allowed.
  case done
}

/// The calls of a client.
enum FlowCall: String, CaseIterable, Sendable {
  case login, signup
  case sendCode = "send_code"
  case checkCode = "check_code"
  case resend
  case setPassword = "set_password"
  case save
  case changePassword = "change_password"
}
