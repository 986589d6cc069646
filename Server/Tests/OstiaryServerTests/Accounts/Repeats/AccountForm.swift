@testable import OstiaryServer

/// The forms of the account pages.
enum AccountForm: String, CaseIterable, Sendable {
  case login, signup, signupCode, address, code, resend, password, save, changePassword, logout

  static let newPassword = "another fine long password"

  /// The id of the form in its page, which is its call.
  var call: String {
    switch self {
    case .login: "login"
    case .signup: "signup"
    case .signupCode, .code: "check_code"
    case .address: "send_code"
    case .resend: "resend"
    case .password: "set_password"
    case .save: "save"
    case .changePassword: "change_password"
    case .logout: "logout"
    }
  }

  var kind: FlowKind {
    switch self {
    case .login, .logout: .login
    case .signup, .signupCode: .signup
    case .address, .code, .resend, .password: .recover
    case .save, .changePassword: .profile
    }
  }

  /// Whether it begins a session.
  var signsIn: Bool { [.login, .signupCode, .changePassword].contains(self) }
}
