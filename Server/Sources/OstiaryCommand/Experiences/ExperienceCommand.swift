internal import ArgumentParser

/// `ostiary experience`.
struct ExperienceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "experience",
    abstract: "Check and run experiences: sign-up, log-in and recovery as a document.",
    discussion: """
      An experience is a JSON document of flows, screens and fields; apps draw it with OstiaryExperiences, and so does this \
      command, in the terminal.
      """,
    subcommands: [Check.self, Run.self])
}
