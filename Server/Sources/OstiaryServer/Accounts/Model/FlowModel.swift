/// The whole of what may be called when. Whatever isn't listed is refused and changes nothing.
///
/// The one way to `setPassword` leads through `checkCode`, and that call's success is the only
/// thing that makes the step `password`.
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

/// What a conversation with the server is about.
enum FlowKind: String, CaseIterable, Sendable {
  case login, signup, recover, profile

  /// Where it begins.
  var firstStep: FlowStep {
    switch self {
    case .login: .credentials
    case .signup: .details
    case .recover: .address
    case .profile: .settings
    }
  }

  /// Whether a code is mailed in the course of it.
  var needsMail: Bool { self == .signup || self == .recover }
}

/// Where a conversation has got to.
enum FlowStep: String, CaseIterable, Sendable {
  /// Name and password.
  case credentials
  /// What a new account needs.
  case details
  /// The address to mail a code to.
  case address
  /// The code that was mailed, if one was.
  case code
  /// A new password; only a right code leads here.
  case password
  /// What a user can change.
  case settings
  /// Over; nothing can be done with it.
  case done
}

/// What a client can ask of a flow.
enum FlowCall: String, CaseIterable, Sendable {
  case login, signup
  case sendCode = "send_code"
  case checkCode = "check_code"
  case resend
  case setPassword = "set_password"
  case save
  case changePassword = "change_password"
}
