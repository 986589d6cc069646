internal import ArgumentParser
package import OstiaryClientCommand

extension CommandLineTool {
  /// The whole command: the client half, and the commands that need a server.
  package static let whole = CommandLineTool(RootCommand.self)
}

/// `ostiary`.
struct RootCommand: AsyncParsableCommand {
  /// The commands of the client half; `why` also reads the server's data.
  private static var session: [any ParsableCommand.Type] {
    ClientCommands.session.map { $0 == WhyCommand.self ? ServerWhyCommand.self : $0 }
  }

  static let configuration = CommandConfiguration(
    commandName: "ostiary",
    abstract: "Sign in to a server, stay signed in, and see why.",
    discussion: """
      Quick start, in two terminals:

        ostiary serve --in-memory --user alice
        ostiary login pega --server http://127.0.0.1:8080/prweb --user alice

      Or see the whole story in a few seconds: ostiary demo

      Every command takes --json and --verbose. Results go to standard output, everything else to standard error; \
      `ostiary help exit-codes` explains the exit status. Profiles and sessions are kept in the platform's folders, or \
      below OSTIARY_HOME. NO_COLOR turns colours off.

      Shell completion: ostiary --generate-completion-script bash|zsh|fish
      """,
    version: CommandEnvironment.version,
    groupedSubcommands: [
      CommandGroup(name: "Session", subcommands: session),
      CommandGroup(
        name: "Server",
        subcommands: [
          ServeCommand.self, UserCommand.self, AdminCommand.self, AuditCommand.self, DatabaseCommand.self,
          NodeCommand.self, KeyCommand.self,
        ]),
      CommandGroup(name: "Onboarding", subcommands: ClientCommands.onboarding),
      CommandGroup(name: "Other", subcommands: [DemoCommand.self] + ClientCommands.explanations),
    ])
}
