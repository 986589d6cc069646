package import ArgumentParser
internal import OstiaryCore

/// `ostiary why`.
package struct WhyCommand: OstiarySubcommand {
  package static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Tell what happened to the session, and why.",
    discussion: "Shows the last events of the profile, oldest first, from this run of the command and earlier ones.")

  @Option(name: [.customShort("n"), .long], help: "How many events to show.")
  package var count = 10

  @Flag(help: "Show the events of all profiles.")
  package var all = false

  @OptionGroup var profile: ProfileOptions
  @OptionGroup package var output: OutputOptions

  package init() {}

  package func validate() throws {
    guard (1...10_000).contains(count) else { throw ValidationError("-n takes a number from 1 to 10000.") }
  }

  /// The user of the profile.
  package func userName(in environment: CommandEnvironment) throws -> String {
    let profile = try ProfileStore(try Folders(environment)).load().profile(named: profile.profile)
    return profile.user.isEmpty ? profile.username ?? "" : profile.user
  }

  package func run(in environment: CommandEnvironment) async throws {
    let console = environment.console
    let folders = try Folders(environment)
    let book = try ProfileStore(folders).load()
    let name = all ? nil : try book.profile(named: profile.profile).name
    let entries = try EventJournal(folders).last(count, of: name)
    if output.json { return try console.print(json: entries) }
    if entries.isEmpty { return try console.print("Nothing has happened yet.") }
    let width = all ? entries.map(\.profile.printable.count).max() ?? 0 : 0
    for entry in entries {
      let whose: Line = all ? "\(entry.profile.printable.padded(to: width), .dim)  " : ""
      let words = book[entry.profile]?.words(for: entry.event) ?? entry.event.description
      try console.print(
        "\(Timestamp.text(entry.event.date), .dim)  \(whose)\(words, entry.event.kind.style)")
    }
  }
}

extension SessionEvent.Kind {
  /// The style of an event of this kind.
  var style: Line.Style? {
    switch self {
    case .signedIn, .renewed: .green
    case .signedOut, .rejected: .yellow
    case .failed, .writeDelayed, .endNotConfirmed: .red
    default: nil
    }
  }
}
