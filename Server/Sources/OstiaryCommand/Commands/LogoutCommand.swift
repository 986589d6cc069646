internal import ArgumentParser
internal import OstiaryCore

/// `ostiary logout`.
struct LogoutCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "logout",
    abstract: "Sign out.",
    discussion: """
      Signing out always works here: what the server says to it is reported, and changes nothing. The profile stays; \
      `ostiary profile remove` takes it away.
      """)

  @OptionGroup var profile: ProfileOptions
  @OptionGroup var output: OutputOptions

  private struct Report: Encodable {
    let profile: String
    let user: String?
    let wasSignedIn: Bool
    let serverConfirmed: Bool
    let serverError: FailureReport?
    let storeError: FailureReport?
  }

  func run(in environment: CommandEnvironment) async throws {
    let console = environment.console
    let folders = try Folders(variables: environment.variables)
    let profile = try ProfileStore(folders).load().profile(named: profile.profile)
    let session = try ProfileSession(
      profile, folders: folders, environment: environment, logger: logger(environment))
    let before = await session.manager.restore()
    let report = try await console.progress("Signing out of \(profile.place)") {
      await session.manager.signOut()
    }
    await session.close()
    var user: String?
    if case .signedIn(let current) = before { user = current.user.id }
    if output.json {
      try console.print(
        json: Report(
          profile: profile.name, user: user, wasSignedIn: user != nil, serverConfirmed: report.serverError == nil,
          serverError: report.serverError.map(FailureReport.init),
          storeError: report.storeError.map(FailureReport.init)))
    } else if report.storeError == nil {
      if let user = user.map(profile.name(ofUser:)) {
        try console.print("\("✓", .green) \(user, .bold) is signed out of \(profile.place).")
      } else {
        try console.print("Nobody was signed in to \(profile.place).")
      }
      if let error = report.serverError { console.warn("the server did not confirm it: \(error.message)") }
    }
    if let error = report.storeError { throw error }
  }
}
