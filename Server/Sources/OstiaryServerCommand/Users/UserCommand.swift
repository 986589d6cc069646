internal import ArgumentParser
internal import OstiaryClientCommand
internal import OstiaryServer

/// `ostiary user`.
struct UserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user",
    abstract: "Manage the users of the server in a data folder.",
    discussion: """
      The command works on the data folder, also while `ostiary serve` runs on it: a user who is disabled or given a new password \
      loses every session at once, in a running server too.
      """,
    subcommands: [Add.self, List.self, Disable.self, Enable.self, Admit.self, Unlock.self, Password.self])
}

extension UserCommand {
  /// `ostiary user unlock`.
  struct Unlock: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Let a user try again at once after too many wrong passwords.",
      discussion: """
        Each wrong password beyond the first few makes the next attempt wait, and after a hundred in a row the server \
        checks no further one. This command sets the count to zero, also in a running server; so does a new password.
        """)

    @Argument(help: "The user's name.")
    var name: String

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let user = try await UserAdministration.withIdentity(data, environment, isVerbose: output.verbose) { identity in
        guard let user = try await identity.user(named: name) else {
          throw ServerError(.userNotFound, UserMessage.unknown(name))
        }
        try await identity.unlock(userNamed: name)
        return user
      }
      try UserAdministration.show(
        user, UserMessage.mayTryAgain(user.name), asJSON: output.json, environment.console)
    }
  }
}
