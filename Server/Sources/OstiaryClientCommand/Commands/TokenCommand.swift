internal import ArgumentParser
internal import Foundation
internal import OstiaryCore

/// `ostiary token`.
struct TokenCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Print a valid access token.",
    discussion: """
      The command is for other programs: nothing but the token goes to standard output. It is renewed first if its time is over or the \
      server says that it is no longer good; where the server did not say how long it lasts, the server is asked, if there \
      is something to ask. The exit status is 3 when the user has to sign in, and 5, 6 or 7 when it can't be told (see `ostiary help exit-codes`).

      With --min-validity it is also renewed if it is good for less than that; the command fails where the server gives no \
      more time.

      A program with the token can act as the user until it ends: pass it on in a pipe or a variable, not in an argument.

      Example:

        token=$(ostiary token --min-validity 5m)
        curl -H @<(printf 'Authorization: Bearer %s' "$token") \\
          https://host/services/data/
      """)

  @Argument(help: "The profile to use, instead of the current one.", completion: .profiles)
  var name: String?

  @Flag(help: "Print what is known here, without asking the server whether it is still good.")
  var offline = false

  @Option(
    help: ArgumentHelp(
      "Renew the token first if it is good for less than this: 90s, 5m, 2h or 1d.", valueName: "time"))
  var minValidity: String?

  @OptionGroup var profile: ProfileOptions
  @OptionGroup var timeout: TimeoutOptions
  @OptionGroup var trace: TraceOptions
  @OptionGroup var output: OutputOptions

  /// The token, the servers that accept it, and its end.
  private struct Report: Encodable {
    let profile: String
    let user: String
    let accessToken: String
    let server: String
    let expires: Date?
  }

  func validate() throws {
    if name != nil, profile.profile != nil { throw ValidationError(SessionMessage.profileTwice) }
    guard let minValidity else { return }
    if offline { throw ValidationError(SessionMessage.validityOffline) }
    if TimeSpan(minValidity) == nil { throw ValidationError(SessionMessage.badValidity(minValidity)) }
  }

  func run(in environment: CommandEnvironment) async throws {
    let folders = try Folders(environment)
    let profile = try ProfileStore(folders).load().profile(named: name ?? profile.profile)
    let work = try ProfileSession(
      profile, folders: folders, environment: environment, logger: logger(environment), timeout: timeout.given,
      trace: trace.file(in: environment), credentials: CredentialPrompt.sources(for: profile, environment: environment))
    let session = try await work.use { try await validSession(work) }
    guard let token = work.kind.accessToken(of: session) else {
      throw OstiaryError.usage(SessionMessage.noToken(kind: profile.kind.rawValue))
    }
    guard output.json else { return try environment.console.print([Line(token.reveal())]) }
    try environment.console.print(
      json: Report(
        profile: profile.name, user: session.user.id, accessToken: token.reveal(),
        server: (work.kind.server(of: session) ?? profile.server).absoluteString, expires: session.expiresAt))
  }

  private func validSession(_ work: ProfileSession) async throws -> Session {
    let session =
      if let span = minValidity.flatMap(TimeSpan.init) {
        try await work.manager.session(minimumValidity: span.duration)
      } else {
        try await work.manager.session()
      }
    if offline || session.expiresAt != nil { return session }
    switch await work.manager.verify() {
    case .signedIn(let session): return session
    // Asks for a credential, or reports that the user has to sign in.
    case .signedOut: return try await work.manager.session()
    // What is known here is all that can be known.
    case .unknown(let error) where error.code == .nothingToAsk: return session
    case .unknown(let error): throw error
    }
  }
}
