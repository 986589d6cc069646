internal import ArgumentParser
internal import OstiaryExperiences

/// `ostiary experience`.
struct ExperienceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "experience",
    abstract: "Check and run experiences: sign-up, log-in and recovery as a document.",
    discussion: """
      An experience is a JSON document of flows, screens and fields. Apps draw it on the screen, and this command draws it \
      in the terminal.
      """,
    subcommands: [Check.self, Run.self])
}

extension ExperienceCommand {
  /// `ostiary experience check`.
  struct Check: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Tell everything that is wrong with a document.",
      discussion: """
        Every problem is told with its place in the document (JSONPath). The command follows all ways through the screens: \
        a screen that a person can't leave is a problem, told with the shortest way to it. A screen that no action leads to \
        is a warning, and so is what this version of Ostiary does not know and ignores. The exit status is 0 when the \
        document can be used and 1 when not.
        """)

    @Argument(
      help: "The document; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let file = try ExperienceFile(file, environment)
      let report = ExperienceReport(Experience.check(json: file.json), of: file.name)
      if output.json {
        try environment.console.print(json: report)
      } else {
        try environment.console.print(report.lines)
      }
      // All problems have been printed.
      if !report.isValid { throw ExitStatus.failure }
    }
  }
}

/// The type of experience to request from a server, and the flow at which it begins.
package enum ExperienceType: String, Sendable, CaseIterable, ExpressibleByArgument {
  case automatic
  case newUser = "new-user"
  case login
  case recoverPassword = "recover-password"

  /// The server's name for it.
  var wireName: String { rawValue.replacing("-", with: "_") }

  /// The purpose of the experience; `nil` leaves it to the document.
  var kind: Experience.Kind? {
    switch self {
    case .automatic: nil
    case .newUser: .newUser
    case .login: .login
    case .recoverPassword: .recoverPassword
    }
  }
}
