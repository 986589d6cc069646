internal import OstiaryCore

/// Where a new user's password comes from: standard input, or the terminal, asked twice.
struct NewPassword: Sendable {
  let environment: CommandEnvironment
  let readsStandardInput: Bool

  /// Gets it.
  func get(for user: String) async throws -> Secret {
    if readsStandardInput { return try environment.input.password() }
    guard environment.terminal.isAvailable else {
      throw OstiaryError(
        .interactionRequired, "A password is needed for \(user), and there is no terminal to ask on.",
        advice: "Pipe it in with --password-stdin.", requestMayHaveExecuted: false)
    }
    let password = try await environment.terminal.askSecret("New password for \(user): ")
    let again = try await environment.terminal.askSecret("The same again: ")
    guard password == again else {
      throw OstiaryError.usage("The two passwords differ.", advice: "Nothing was changed; try again.")
    }
    return password
  }
}
