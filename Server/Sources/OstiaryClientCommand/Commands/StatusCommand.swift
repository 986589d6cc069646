internal import ArgumentParser
internal import OstiaryCore

/// `ostiary status`.
struct StatusCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say whether a user is signed in.",
    discussion: """
      Asks the server whether it accepts the session, and reports what was seen. With --offline the server is not asked, and \
      neither is one that has nothing to ask. \
      The command never signs in, and an answer that can't be had ends no session.

      The exit status is 0 when a user is signed in, 3 when no user is, and 5, 6 or 7 when it can't be told \
      (see `ostiary help exit-codes`).
      """)

  @Flag(help: "Ask the server whether it accepts the session. (default)")
  var check = false

  @Flag(help: "Say what is known here, without asking the server.")
  var offline = false

  @OptionGroup var profile: ProfileOptions
  @OptionGroup var timeout: TimeoutOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if check, offline { throw ValidationError(SessionMessage.checkOrOffline) }
  }

  func run(in environment: CommandEnvironment) async throws {
    let folders = try Folders(environment)
    let profile = try ProfileStore(folders).load().profile(named: profile.profile)
    let session = try ProfileSession(
      profile, folders: folders, environment: environment, logger: logger(environment), timeout: timeout.given)
    var status = try await environment.console.progress(SessionMessage.asking(place: profile.place)) {
      offline ? await session.manager.restore() : await session.manager.verify()
    }
    var isUnasked = false
    if case .unknown(let error) = status, error.code == .nothingToAsk {
      status = await session.manager.restore()
      isUnasked = true
    }
    await session.close()
    let report = StatusReport(
      status, of: session, journal: EventJournal(folders), isChecked: !offline && !isUnasked,
      canAsk: !isUnasked, at: environment.clock.now)
    if output.json {
      try environment.console.print(json: report)
    } else {
      try environment.console.print(report.lines)
    }
    switch status {
    case .signedIn: return
    case .signedOut: throw ExitStatus.signedOut
    case .unknown(let error): throw session.explained(error)
    }
  }
}
