internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryPrivateFiles
internal import OstiaryServer

/// `ostiary admin`.
struct AdminCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admin",
    abstract: "Manage the administrators who may ask the server from elsewhere.",
    discussion: """
      An administrator has a token, and may read what happened to users and sessions with \
      `ostiary why --server https://host`. The server answers if it was started with `ostiary serve --admin`. The command \
      works on the data folder, also while a server runs on it.
      """,
    subcommands: [Add.self, List.self, Remove.self])

  private static let name = "ostiary admin"  // data: a name in the audit trail

  /// Opens the data folder and works with its administrators.
  private static func withAdministrators<Result: Sendable>(
    _ data: DataOptions, _ environment: CommandEnvironment, _ output: OutputOptions, changes: Bool = true,
    _ body: @Sendable (Administrators) async throws -> Result
  ) async throws -> Result {
    try await UserAdministration.withIdentity(
      data, environment, isVerbose: output.verbose, changes: changes, command: name
    ) { try await body($0.administrators) }
  }

  /// `ostiary admin add`.
  struct Add: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Add an administrator, and show the token once.",
      discussion: """
        Nothing but the token goes to standard output. The server keeps a keyed hash of it: it can't be shown again.

          ostiary admin add laptop --token-file laptop.token
        """)

    @Argument(help: "What to call the administrator: a person, or a machine.")
    var name: String

    @Option(help: "How many days the token is good for.")
    var days = 90

    @Option(help: "Write the token into this file, which only its owner can read.", completion: .file())
    var tokenFile: String?

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard (1...3650).contains(days) else { throw ValidationError(AdminMessage.badDays(most: 3650)) }
    }

    func run(in environment: CommandEnvironment) async throws {
      let file = tokenFile.map { PrivateFile(url: environment.url(path: $0)) }
      if let tokenFile, try file?.read(limit: 1 << 20) != nil {
        throw OstiaryError.file(FileMessage.exists(tokenFile))
      }
      let (made, token) = try await AdminCommand.withAdministrators(data, environment, output) { [name, days] in
        try await $0.add(name, lifetime: .seconds(days * 24 * 3600))
      }
      try file?.replace(with: Data((token.reveal() + "\n").utf8))
      let console = environment.console
      if output.json {
        return try console.print(
          json: Report(made, token: file == nil ? token : nil, tokenFile: tokenFile, at: environment.now))
      }
      console.note(AdminMessage.added(made.name, until: Timestamp.text(made.expiresAt)))
      guard file == nil else { return }
      console.note(AdminMessage.tokenShownOnce)
      try console.print([Line(token.reveal())])
    }
  }

  /// `ostiary admin list`.
  struct List: OstiarySubcommand {
    static let configuration = CommandConfiguration(abstract: "List the administrators.")

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let all = try await AdminCommand.withAdministrators(data, environment, output, changes: false) {
        try await $0.all()
      }
      let reports = all.map { Report($0, at: environment.now) }
      if output.json { return try environment.console.print(json: reports) }
      guard !reports.isEmpty else { return try environment.console.print(AdminMessage.emptyList) }
      var table = Table(["NAME", "ADDED", "UNTIL", "STATE"])
      for report in reports {
        table.add([
          report.name, Timestamp.text(report.madeAt), Timestamp.text(report.expiresAt),
          report.isExpired ? "expired" : "good",
        ])
      }
      try environment.console.print(table)
    }
  }

  /// `ostiary admin remove`.
  struct Remove: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove an administrator.", discussion: "A running server refuses the token from then on.")

    @Argument(help: "The administrator's name.")
    var name: String

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      try await AdminCommand.withAdministrators(data, environment, output) { [name] in try await $0.remove(name) }
      if output.json { return try environment.console.print(json: ["removed": name]) }
      try environment.console.print(AdminMessage.removed(name))
    }
  }

  /// An administrator for people and programs.
  private struct Report: Encodable {
    let name: String
    let madeAt: Date
    let expiresAt: Date
    let isExpired: Bool
    /// Of one that has just been made.
    let token: String?
    let tokenFile: String?

    init(_ administrator: Administrator, token: Secret? = nil, tokenFile: String? = nil, at now: Date) {
      name = administrator.name
      madeAt = administrator.madeAt
      expiresAt = administrator.expiresAt
      isExpired = administrator.expiresAt <= now
      self.token = token?.reveal()
      self.tokenFile = tokenFile
    }
  }
}
