internal import ArgumentParser
internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth

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

      With --browser an OpenID Connect server ends the user's sign-in with the server itself, too, on its page: otherwise \
      the next login in that browser asks for no password. The session here is over before the page opens. The page \
      leads back to the profile's redirect-uri, which has to be registered for that.
      """)

  @Flag(help: "Sign out of the gateways in front of the server, too.")
  var gateways = false

  @Flag(help: "For oidc: end the sign-in with the server itself, too, on its page.")
  var browser = false

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
    /// With --browser: whether the server's page has led back, and why not.
    let isOverOnPage: Bool?
    let pageError: FailureReport?
    /// The gateways whose sessions were ended, the innermost first.
    var gateways: [Report]?
  }

  /// The outcome of one sign-out.
  private struct Outcome {
    let profile: Profile
    let user: String?
    let report: SignOutReport
    /// What came of the server's page, where it was asked for.
    var page: LogoutReport?

    var document: Report {
      Report(
        profile: profile.name, user: user, wasSignedIn: user != nil,
        serverConfirmed: report.confirmation?.isConfirmed == true, serverSaid: report.confirmation?.words,
        serverError: report.serverError.map(FailureReport.init), storeError: report.storeError.map(FailureReport.init),
        isOverOnPage: page.map { $0.didVisitPage && $0.pageError == nil },
        pageError: page?.pageError.map(FailureReport.init))
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
      guard let page, page.didVisitPage || page.pageError != nil else { return }
      if let error = page.pageError {
        console.warn(SessionMessage.pageFailed(reason: error.message))
      } else {
        try console.print(SessionMessage.isOverOnPage)
      }
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    let folders = try Folders(environment)
    let profile = try ProfileStore(folders).load().profile(named: profile.profile)
    let page = browser ? try Self.page(profile, environment) : nil
    let session = try ProfileSession(
      profile, kind: ForgottenKind.kind(toEnd: profile, in: environment), folders: folders,
      environment: environment.toEnd, logger: logger(environment), timeout: timeout.given)
    // The request to the server passes the gateways, whose sessions must still be valid.
    let layers = [(profile: profile, manager: session.manager)] + (gateways ? session.gateways.reversed() : [])
    var outcomes: [Outcome] = []
    for layer in layers {
      let before = await layer.manager.restore()
      if layer.profile.name == session.profile.name {
        await session.abandonUploads(environment, journal: folders.sessions)
      }
      let visit = layer.profile.name == session.profile.name ? page : nil
      let (report, shown) = try await environment.console.progress(
        SessionMessage.signingOut(place: layer.profile.place)
      ) { () async -> (SignOutReport, LogoutReport?) in
        guard let visit else { return (await layer.manager.signOut(confirming: true), nil) }
        let report = await layer.manager.signOut(in: visit.agent, returnURI: visit.returnURI, confirming: true)
        return (report.signOut, report)
      }
      var user: String?
      if case .signedIn(let current) = before { user = current.user.id }
      outcomes.append(Outcome(profile: layer.profile, user: user, report: report, page: shown))
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

  /// The browser, and where the server's page leads back to.
  private static func page(
    _ profile: Profile, _ environment: CommandEnvironment
  ) throws -> (agent: LoopbackUserAgent, returnURI: URL) {
    guard profile.kind.rawValue == OpenIDKind.name else {
      throw OstiaryError.usage(SessionMessage.noPage(kind: profile.kind.rawValue))
    }
    guard let returnURI = URL(string: profile.options?["redirect-uri"] ?? OpenIDKind.usualRedirectURI) else {
      throw OstiaryError.usage(KindMessage.noRedirectURI)
    }
    let agent = LoopbackUserAgent(timeout: .seconds(300)) { page in
      guard environment.terminal.isAvailable else { return try await environment.browser(page.address) }
      // The server's own address is not shown: it has the ID token.
      environment.console.note(SessionMessage.signOutInBrowser(page: page.address.absoluteString))
      // A user whose browser does not open can open the page by hand: this is not a failure yet.
      do { try await environment.browser(page.address) } catch let error as OstiaryError {
        environment.console.note(KindMessage.browserProblem(error.message))
      }
    }
    return (agent, returnURI)
  }
}
