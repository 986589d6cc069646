internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// `ostiary database`.
struct DatabaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "database",
    abstract: "Look after a server's data: back-ups, migrations, moves.",
    discussion: """
      A server stores its data in a folder, with SQLite, or in a database of PostgreSQL. The commands work on either, also \
      while servers run; a back-up of the one is restored into the other.
      """,
    subcommands: [Check.self, Migrate.self, Backup.self, Restore.self, Copy.self])
}

extension DatabaseCommand {
  /// `ostiary database copy`.
  struct Copy: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Copy everything to another database, compare it, and take the first one out of use.",
      discussion: """
        A place is a data folder, or the address of a database of PostgreSQL. The target must have no users. While the copy is \
        made servers that use the source answer 503 to what they can't do, which ends no session. When all tables have been \
        counted and compared the source is sealed: a server that uses it answers 503, and one that is started on it says where \
        the data is. The target gets the key of the source; uploads stay in the data folder.

        Example:

          ostiary database copy --from /var/lib/ostiary --to postgres://db/ostiary
        """)

    @Option(help: "The place with the data: a folder, or postgres://….")
    var from: String

    @Option(help: "The place for the data: a folder, or postgres://….")
    var to: String

    @Option(
      help: "The folder with the server's key, where a place is in PostgreSQL. (default: the other place)",
      completion: .directory)
    var data: String?

    @Option(
      help: ArgumentHelp("A file with the password of the place in PostgreSQL, for its owner only.", valueName: "file"),
      completion: .file())
    var databasePasswordFile: String?

    @OptionGroup var key: KeyOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let places = try [from, to].map { try place($0, environment) }
      guard case let (source?, target?) = (places.first, places.last), source != target else {
        throw ValidationError(DatabaseMessage.samePlace)
      }
      try source.demandDatabase()
      let counts = try await Self.copy(from: source, to: target, keys: key.sources(environment))
      let rows = counts.reduce(0) { $0 + $1.rows }
      if output.json {
        return try environment.console.print(
          json: Report(rows: rows, tables: counts, from: source.shown, to: target.shown))
      }
      if output.verbose { environment.console.note(DatabaseReports.counts(counts)) }
      try environment.console.print(DatabaseMessage.copied(rows: rows, tables: counts.count, to: target.shown))
    }

    private static func copy(
      from source: ServerConfiguration.Storage, to target: ServerConfiguration.Storage, keys: ServerKeySources
    ) async throws -> [TableCount] {
      let old = try ServerStorage(source, keys: keys)
      do {
        // What is sealed in the rows opens with no other key.
        let new = try ServerStorage(target, keys: old.keys)
        do {
          if let folder = target.folder { try old.storeKey(in: folder) }
          let counts = try await StorageCopy.move(from: old, to: new, movedTo: target.shown)
          try await new.close()
          try await old.close()
          return counts
        } catch {
          try? await new.close()
          throw error
        }
      } catch {
        try? await old.close()
        throw error
      }
    }

    /// What the name of a place means.
    private func place(_ name: String, _ environment: CommandEnvironment) throws -> ServerConfiguration.Storage {
      guard DatabaseOptions.isAddress(name) else { return .folder(environment.url(path: name, isFolder: true)) }
      let other = [from, to].first { !DatabaseOptions.isAddress($0) }
      let folder =
        try (data ?? other).map { environment.url(path: $0, isFolder: true) } ?? Folders(environment).serverData
      var database = PostgreSQLDatabase(Secret(name), folder: folder)
      database.password = try DatabaseOptions.password(file: databasePasswordFile, environment)
      return .postgreSQL(database)
    }

    private struct Report: Encodable {
      let rows: Int
      let tables: [String: Int]
      let from: String
      let to: String

      init(rows: Int, tables: [TableCount], from: String, to: String) {
        self.rows = rows
        self.tables = tables.byName
        (self.from, self.to) = (from, to)
      }
    }
  }
}

extension ServerConfiguration.Storage {
  /// The place in words that contain no password.
  var shown: String {
    switch self {
    case .memory: "memory"  // data: no copy goes there
    case .folder(let folder): folder.path(percentEncoded: false)
    case .postgreSQL(let database): database.shown
    }
  }
}
