package import ArgumentParser

/// The commands that need no server in this process, in the groups of `ostiary --help`.
package enum ClientCommands {
  /// Commands that sign in, use the session, and sign out.
  package static var session: [any ParsableCommand.Type] {
    [
      LoginCommand.self, StatusCommand.self, RequestCommand.self, TokenCommand.self, WhyCommand.self,
      LogoutCommand.self, ProfileCommand.self, UploadCommand.self, MediaCommand.self, SnapStartCommand.self,
      DialectCommand.self, DoctorCommand.self,
    ]
  }

  /// Experiences.
  package static var onboarding: [any ParsableCommand.Type] { [ExperienceCommand.self] }

  /// Commands that explain the command itself.
  package static var explanations: [any ParsableCommand.Type] { [ExitCodesCommand.self] }
}
