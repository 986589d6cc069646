/// The whole of what may be called when. Whatever isn't listed is refused and changes nothing.
///
/// The one way to ``FlowCall/setPassword`` leads through ``FlowCall/checkCode``, and that call's success is the only
/// thing that makes the step ``FlowStep/password``.
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
