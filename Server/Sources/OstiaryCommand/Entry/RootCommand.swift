internal import ArgumentParser

/// `ostiary`.
struct RootCommand: AsyncParsableCommand {
  /// The version of the command.
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "ostiary",
    abstract: "Sign in to a server, stay signed in, and see why.",
    discussion: """
      Quick start, in two terminals:

        ostiary serve --in-memory --user alice
        ostiary login pega --server http://127.0.0.1:8080/prweb --user alice

      Or see the whole story in a few seconds: ostiary demo

      Every command takes --json and --verbose. Results go to standard output, everything else to standard error; \
      `ostiary help exit-codes` explains the exit status. Profiles and sessions rest in the platform's folders, or \
      below OSTIARY_HOME. NO_COLOR turns colours off.

      Shell completion: ostiary --generate-completion-script bash|zsh|fish
      """,
    version: version,
    groupedSubcommands: [
      CommandGroup(
        name: "Session",
        subcommands: [
          LoginCommand.self, StatusCommand.self, RequestCommand.self, TokenCommand.self, WhyCommand.self,
          LogoutCommand.self, ProfileCommand.self,
        ]),
      CommandGroup(name: "Server", subcommands: [ServeCommand.self, UserCommand.self]),
      CommandGroup(name: "Onboarding", subcommands: [ExperienceCommand.self]),
      CommandGroup(name: "Other", subcommands: [DemoCommand.self, ExitCodesCommand.self]),
    ])
}
