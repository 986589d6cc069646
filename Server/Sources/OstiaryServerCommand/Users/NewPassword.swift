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
        .interactionRequired, "A password is needed for \(user), and there is no terminal to ask on.",
        advice: "Pipe it in with --password-stdin.", requestMayHaveExecuted: false)
    }
    let length = policy.minimumLength
    let rule: Line = length > 1 ? " (\(length) characters or more)" : ""
    let password = try await environment.terminal.askSecret("New password for \(user)\(rule): ")
    // A refused password is reported before it is asked for again.
    try policy.check(password)
    let again = try await environment.terminal.askSecret("The same again: ")
    guard password == again else {
      throw OstiaryError.usage("The two passwords differ.", advice: "Nothing was changed; try again.")
    }
    return password
  }
}
