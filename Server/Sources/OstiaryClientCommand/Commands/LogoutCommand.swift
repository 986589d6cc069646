internal import ArgumentParser
internal import OstiaryCore

/// `ostiary logout`.
struct LogoutCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "logout",
    abstract: "Sign out.",
    discussion: """
      Signing out always works here. What the server answers is reported, and changes nothing. The end is confirmed only \
      when the server then refuses the old session, or has given its sign for the end of a session.

      The profile stays; `ostiary profile remove` removes it. A gateway in front of the server keeps its own session, \
      which other profiles may need, unless --gateways signs out of it as well, from the inside out. \
      Uploads that were interrupted are given up.
      """)

  @Flag(help: "Sign out of the gateways in front of the server, too.")
  var gateways = false

  @OptionGroup var profile: ProfileOptions
  @OptionGroup var timeout: TimeoutOptions
  @OptionGroup var output: OutputOptions

  private struct Report: Encodable {
    let profile: String
    let user: String?
    let wasSignedIn: Bool
    /// Whether the server has shown that the session is over there.
    let serverConfirmed: Bool
    /// What it has shown, or why nothing is known.
    let serverSaid: String?
    let serverError: FailureReport?
    let storeError: FailureReport?
    /// The gateways whose sessions were ended, the innermost first.
    var gateways: [Report]?
  }

  /// The outcome of one sign-out.
  private struct Outcome {
    let profile: Profile
    let user: String?
    let report: SignOutReport

    var document: Report {
      Report(
        profile: profile.name, user: user, wasSignedIn: user != nil,
        serverConfirmed: report.confirmation?.isConfirmed == true, serverSaid: report.confirmation?.words,
        serverError: report.serverError.map(FailureReport.init), storeError: report.storeError.map(FailureReport.init))
    }

    func tell(_ console: Console) throws {
      guard report.storeError == nil else { return }
      if let user = user.map(profile.name(ofUser:)) {
        let isConfirmed = report.confirmation?.isConfirmed == true
        try console.print(
          SessionMessage.hasSignedOut(user: user, place: profile.place, isConfirmed: isConfirmed))
        if let seen = report.confirmation { try console.print(["  \(seen.message.line)"]) }
      } else {
        try console.print(SessionMessage.wasSignedOut(place: profile.place))
      }
      if let error = report.serverError { console.warn(SessionMessage.serverDidNotConfirm(reason: error.message)) }
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    let folders = try Folders(environment)
    let profile = try ProfileStore(folders).load().profile(named: profile.profile)
    let session = try ProfileSession(
      profile, kind: ForgottenKind.kind(toEnd: profile, in: environment), folders: folders, environment: environment,
      logger: logger(environment), timeout: timeout.given)
    // The request to the server passes the gateways, whose sessions must still be valid.
    let layers = [(profile: profile, manager: session.manager)] + (gateways ? session.gateways.reversed() : [])
    var outcomes: [Outcome] = []
    for layer in layers {
      let before = await layer.manager.restore()
      if layer.profile.name == session.profile.name {
        await session.abandonUploads(environment, journal: folders.sessions)
      }
      let report = try await environment.console.progress(SessionMessage.signingOut(place: layer.profile.place)) {
        await layer.manager.signOut(confirming: true)
      }
      var user: String?
      if case .signedIn(let current) = before { user = current.user.id }
      outcomes.append(Outcome(profile: layer.profile, user: user, report: report))
    }
    await session.close()
    if output.json, let first = outcomes.first {
      var document = first.document
      if gateways { document.gateways = outcomes.dropFirst().map(\.document) }
      try environment.console.print(json: document)
    } else {
      for outcome in outcomes { try outcome.tell(environment.console) }
    }
    if let error = outcomes.lazy.compactMap(\.report.storeError).first { throw error }
  }
}
