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
        return try environment.console.print(ProfileMessage.emptyList)
      }
      var table = Table([" ", "NAME", "KIND", "USER", "SERVER"])
      for profile in book.profiles {
        table.add([
          profile.name == book.current ? "*" : " ", profile.name, profile.kind.rawValue, profile.person,
          profile.server.absoluteString,
        ])
      }
      try environment.console.print(table)
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
      try environment.console.print(ProfileMessage.current(name))
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
        throw OstiaryError.usage(ProfileMessage.inFrontOf(profile: profile.name, other: other.name))
      }
      let session = try ProfileSession(
        profile, kind: ForgottenKind.kind(toEnd: profile, in: environment), folders: folders,
        environment: environment.toEnd, logger: logger(environment))
      let status = await session.manager.restore()
      await session.close()
      switch status {
      case .signedIn(let current):
        throw OstiaryError(
          .alreadySignedIn, ProfileMessage.signedIn(user: profile.name(ofUser: current.user.id), profile: name))
      case .unknown(let error): throw error
      case .signedOut: break
      }
      let remaining = try store.change { try $0.remove(name) }
      if output.json { return try environment.console.print(json: remaining.withoutSecrets) }
      try environment.console.print(ProfileMessage.removed(name))
    }
  }
}
