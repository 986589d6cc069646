package import ArgumentParser

/// The commands that need no server in this process, by the groups in which `ostiary --help` lists them.
package enum ClientCommands {
  /// Signing in, using the session, and signing out.
  package static var session: [any ParsableCommand.Type] {
    [
      LoginCommand.self, StatusCommand.self, RequestCommand.self, TokenCommand.self, WhyCommand.self,
      LogoutCommand.self, ProfileCommand.self,
    ]
  }

  /// Experiences.
  package static var onboarding: [any ParsableCommand.Type] { [ExperienceCommand.self] }

  /// What explains the command itself.
  package static var explanations: [any ParsableCommand.Type] { [ExitCodesCommand.self] }
}
