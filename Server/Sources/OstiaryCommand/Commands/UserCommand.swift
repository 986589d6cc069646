internal import ArgumentParser

/// `ostiary user`.
struct UserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user",
    abstract: "Manage the users of the server in a data folder.",
    discussion: """
      Works on the data folder, also while `ostiary serve` runs on it: a user who is disabled or given a new password \
      loses every session at once, in a running server too.
      """,
    subcommands: [Add.self, List.self, Disable.self, Enable.self, Password.self])
}
