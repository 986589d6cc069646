internal import ArgumentParser
internal import Foundation
internal import OstiaryCore

/// `ostiary profile`.
struct ProfileCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Show, choose and remove profiles.",
    subcommands: [List.self, Use.self, Remove.self],
    defaultSubcommand: List.self)

  /// `ostiary profile list`.
  struct List: OstiarySubcommand {
    static let configuration = CommandConfiguration(abstract: "List the profiles; * marks the current one.")

    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) throws {
      let book = try ProfileStore(Folders(environment)).load()
      if output.json { return try environment.console.print(json: book.withoutSecrets) }
      guard !book.profiles.isEmpty else {
        return try environment.console.print("There is no profile yet; `ostiary login` makes one.")
      }
      var table = Table([" ", "NAME", "KIND", "USER", "SERVER"])
      for profile in book.profiles {
        table.add([
          profile.name == book.current ? "*" : " ", profile.name, profile.kind.rawValue, profile.user,
          profile.server.absoluteString,
        ])
      }
      for line in table.lines { try environment.console.print(line) }
    }
  }

  /// `ostiary profile use`.
  struct Use: OstiarySubcommand {
    static let configuration = CommandConfiguration(abstract: "Make a profile the current one.")

    @Argument(help: "The profile's name.", completion: .profiles)
    var name: String

    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) throws {
      let book = try ProfileStore(Folders(environment)).change { try $0.use(name) }
      if output.json { return try environment.console.print(json: book.withoutSecrets) }
      try environment.console.print("\("✓", .green) The current profile is \(name, .bold).")
    }
  }

  /// `ostiary profile remove`.
  struct Remove: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a profile.",
      discussion: "Refused while it is signed in: sign out first, so that the server knows.")

    @Argument(help: "The profile's name.", completion: .profiles)
    var name: String

    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let folders = try Folders(environment)
      let store = ProfileStore(folders)
      let book = try store.load()
      let profile = try book.profile(named: name)
      if let other = book.profiles(behind: profile.name).first {
        throw OstiaryError.usage(
          "The profile \(other.name) is behind \(profile.name).", advice: "Remove that one first.")
      }
      let session = try ProfileSession(
        profile, folders: folders, environment: environment, logger: logger(environment))
      let status = await session.manager.restore()
      await session.close()
      switch status {
      case .signedIn(let current):
        throw OstiaryError(
          .alreadySignedIn, "\(profile.name(ofUser: current.user.id)) is signed in with the profile \(name).",
          requestMayHaveExecuted: false)
      case .unknown(let error): throw error
      case .signedOut: break
      }
      let remaining = try store.change { try $0.remove(name) }
      if output.json { return try environment.console.print(json: remaining.withoutSecrets) }
      try environment.console.print("\("✓", .green) The profile \(name, .bold) is removed.")
    }
  }
}
