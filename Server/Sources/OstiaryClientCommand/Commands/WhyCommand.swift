package import ArgumentParser
internal import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// `ostiary why`.
package struct WhyCommand: OstiarySubcommand {
  package static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Tell what happened to the session, and why.",
    discussion: """
      Shows the last events of the profile, oldest first, from this run of the command and earlier ones.

      With --server https://host it shows what that server has recorded of a user's sessions and tokens. The server \
      answers administrators alone: make a token on its machine with `ostiary admin add`, and start it with \
      `ostiary serve --admin`.
      """)

  /// Whose side is shown.
  package enum ServerSide: Sendable, Equatable, ExpressibleByArgument, CustomStringConvertible {
    /// That of the server whose data is on this machine.
    case here
    /// That of a server elsewhere.
    case at(String)

    package init?(argument: String) { self = .at(argument) }

    // data: help of --server
    package var description: String { if case .at(let address) = self { address } else { "on this machine" } }
  }

  @Option(name: [.customShort("n"), .long], help: "How many events to show.")
  package var count = 10

  @Flag(help: "Show the events of all profiles.")
  package var all = false

  @Option(
    defaultAsFlag: ServerSide.here,
    help: ArgumentHelp("Show a server's side: of https://host, or of the one on this machine.", valueName: "url"))
  package var server: ServerSide?

  @Option(help: "With --server: the user whose events to show. (default: the profile's)")
  package var user: String?

  @Option(help: "With --server: the tenant that the user belongs to, for doors that have tenants. (default: none)")
  package var tenant: String?

  @Option(
    help: ArgumentHelp(
      "With --server https://host: the file with the administrator's token. (default: the variable OSTIARY_ADMIN_TOKEN)",
      valueName: "file"), completion: .file())
  var adminTokenFile: String?

  @Option(
    help: "With --server https://host: a PEM file with certificates to trust besides the system's.",
    completion: .file(extensions: ["pem"]))
  var caFile: String?

  @OptionGroup var profile: ProfileOptions
  @OptionGroup var timeout: TimeoutOptions
  @OptionGroup package var output: OutputOptions

  package init() {}

  package func validate() throws {
    guard (1...10_000).contains(count) else { throw ValidationError(WhyMessage.badCount(most: 10_000)) }
    guard server != nil || (user == nil && tenant == nil) else {
      throw ValidationError(WhyMessage.optionsOfServer)
    }
    guard case .at = server else {
      guard adminTokenFile == nil, caFile == nil else {
        throw ValidationError(WhyMessage.optionsOfServerElsewhere)
      }
      return
    }
    guard count <= 1000 else { throw ValidationError(WhyMessage.badCountOfServer(most: 1000)) }
  }

  /// The user that --server is about; nil for all.
  package func subject(in environment: CommandEnvironment) throws -> String? {
    if all { return nil }
    if let user { return user }
    let profile = try ProfileStore(try Folders(environment)).load().profile(named: profile.profile)
    return profile.person
  }

  package func run(in environment: CommandEnvironment) async throws {
    switch server {
    case nil: try showJournal(in: environment)
    case .here?:
      throw OstiaryError.usage(WhyMessage.noServerHere)
    case .at(let address)?:
      let reports = try await ask(address, environment)
      try AuditReport.print(reports, asJSON: output.json, on: environment.console)
    }
  }

  private func ask(_ address: String, _ environment: CommandEnvironment) async throws -> [AuditReport] {
    let origin = try AdministrationClient.origin(address)
    let token = try AdministratorToken.read(adminTokenFile, in: environment)
    let subject = try subject(in: environment)
    let certificates = caFile.map { environment.url(path: $0).path(percentEncoded: false) }
    if let certificates, !FileManager.default.isReadableFile(atPath: certificates) {
      throw OstiaryError.file(FileMessage.unreadable(certificates))
    }
    let transport = try CommandTransport(trusting: certificates, timeout: timeout.given)
    do {
      let client = try AdministrationClient(address, token: token, transport: transport)
      let reports = try await environment.console.progress(SessionMessage.asking(place: origin.authority)) {
        try await client.events(of: subject, tenant: tenant, last: count)
      }
      await transport.close()
      return reports
    } catch {
      await transport.close()
      throw error
    }
  }

  private func showJournal(in environment: CommandEnvironment) throws {
    let console = environment.console
    let folders = try Folders(environment)
    let book = try ProfileStore(folders).load()
    let name = all ? nil : try book.profile(named: profile.profile).name
    let entries = try EventJournal(folders).last(count, of: name)
    if output.json { return try console.print(json: entries) }
    if entries.isEmpty { return try console.print(WhyMessage.nothingYet) }
    let width = all ? entries.map(\.profile.printable.count).max() ?? 0 : 0
    for entry in entries {
      let whose: Line = all ? "\(entry.profile.printable.padded(to: width), .dim)  " : ""
      let words = book[entry.profile]?.words(for: entry.event) ?? entry.event.description
      try console.print([
        "\(Timestamp.text(entry.event.date), .dim)  \(whose)\(words, entry.event.kind.style)"
      ])
    }
    guard let last = entries.last, last.event.cause == .renewalRefused, let profile = book[last.profile] else { return }
    try console.print(AdviceMessage.signInAgain(command: profile.loginCommand))
  }
}

extension SessionEvent.Kind {
  /// The style of an event of this kind.
  var style: Line.Style? {
    switch self {
    case .signedIn, .renewed: .green
    case .signedOut, .rejected, .strongerSignInFailed: .yellow
    case .failed, .writeDelayed, .endNotConfirmed: .red
    default: nil
    }
  }
}
