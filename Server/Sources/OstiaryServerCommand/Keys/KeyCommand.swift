internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// `ostiary key`.
struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Manage the key of a server.",
    discussion: """
      A server has one key, which is kept beside its database and never in it. The first of these that there is has it: \
      --key-file FILE, the variable OSTIARY_KEY, systemd's credential ostiary.key, and the file ostiary.key in the data \
      folder, which is made if there is no other. If two of them have different keys, the server does not start.

      The database knows which key it was first used with: a server or command with another one does not start.
      """,
    subcommands: [New.self, Rotate.self, Status.self, Retire.self, Accept.self])

  /// `ostiary key new`.
  struct New: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a file with a new key.",
      discussion: "The file has the mode 0600. A file that is there already is never overwritten.")

    @Argument(help: "The file to make.", completion: .file())
    var file: String

    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      guard try ServerKeySources.makeFile(at: environment.url(path: file)) else {
        throw OstiaryError.file(FileMessage.exists(file))
      }
      if output.json { return try environment.console.print(json: ["file": file]) }
      try environment.console.print(KeyMessage.made(file))
    }
  }

  /// `ostiary key accept`.
  struct Accept: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Let a database take another key, after its own was lost.",
      discussion: """
        Users, passwords, sessions and the tokens of apps stay. What was made with the lost key is gone: codes and mail under \
        way, pages and flows that were begun, counts of wrong guesses, the tokens of administrators, and a key for apps \
        that the Primer door had made; and `ostiary audit verify` finds the events of before changed. Stop the server first.
        """)

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let place = try data.storage(environment, try Folders(environment))
      let path = data.folder(environment, try Folders(environment)).path(percentEncoded: false)
      if place.folderWithoutDatabase != nil { throw ServerError(.userNotFound, KeyMessage.noDatabase(path)) }
      var keys = data.key.sources(environment)
      keys.replacesKeyOfDatabase = true
      try await ServerStorage(place, keys: keys).close()
      if output.json { return try environment.console.print(json: ["accepted": path]) }
      try environment.console.print(KeyMessage.accepted(path))
    }
  }
}
