internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// The source of a new user's password: standard input, or the terminal, which asks twice.
struct NewPassword: Sendable {
  let environment: CommandEnvironment
  let readsStandardInput: Bool

  /// Gets the password.
  /// - Parameter policy: the rules, which the question states.
  func get(for user: String, _ policy: PasswordPolicy) async throws -> Secret {
    if readsStandardInput { return try environment.input.password() }
    guard environment.terminal.isAvailable else {
      throw OstiaryError(
        .interactionRequired, UserMessage.noPersonToAsk(user: user))
    }
    let question = UserMessage.askNewPassword(user: user, least: policy.minimumLength)
    let password = try await environment.terminal.askSecret(question)
    // A refused password is reported before it is asked for again.
    try policy.check(password)
    let again = try await environment.terminal.askSecret(UserMessage.askAgain)
    guard password == again else { throw OstiaryError.usage(UserMessage.passwordsDiffer) }
    return password
  }
}
