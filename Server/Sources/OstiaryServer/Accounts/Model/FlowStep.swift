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
