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
