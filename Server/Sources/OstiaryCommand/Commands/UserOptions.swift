internal import ArgumentParser
internal import OstiaryServer

/// What a command takes that changes one of the users there are.
struct UserOptions: ParsableArguments {
  @Argument(help: "The user's name.")
  var name: String

  @OptionGroup var data: DataOptions
  @OptionGroup var output: OutputOptions

  /// Makes the change and says what has become of the user.
  /// - Parameter what: the rest of a sentence that begins with the user's name.
  func change(
    in environment: CommandEnvironment, isDevelopment: Bool = false, saying what: String,
    _ body: @Sendable (IdentityService) async throws -> User
  ) async throws {
    let user = try await UserAdministration.withIdentity(
      data, environment, isVerbose: output.verbose, isDevelopment: isDevelopment, body)
    try UserAdministration.show(user, what, asJSON: output.json, environment.console)
  }
}
