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
