internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryServer

extension DatabaseCommand {
  /// `ostiary database backup`.
  struct Backup: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a back-up in one file, while servers go on.",
      discussion: """
        The file is of one moment, has all tables, and is restored into SQLite or PostgreSQL, whichever it came from. Only its owner \
        can read it; keep it like the database. The server's key is not in it, unless --with-key says so: without the key \
        the database can't be used, so keep a copy of the key elsewhere. Uploads are files of the data folder, and not in \
        it either.

        Example: ostiary database backup /backups/ostiary.backup --data /var/lib/ostiary
        """)

    @Argument(help: "The file to make.", completion: .file())
    var file: String

    @Flag(help: "Put the server's key into the file, too: a reader of the file can read and forge everything.")
    var withKey = false

    @Flag(help: "Replace a file of that name, when the new one is complete.")
    var replace = false

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let place = try data.existingStorage(environment)
      if withKey { environment.console.warn(DatabaseMessage.keyGoesIn) }
      let report = try await place.backUp(
        to: environment.url(path: file), replacing: replace, keys: withKey ? data.key.sources(environment) : nil)
      let rows = report.tables.reduce(0) { $0 + $1.rows }
      if output.json {
        return try environment.console.print(
          json: Report(
            file: file, rows: rows, tables: report.tables.byName, madeAt: report.madeAt, withKey: report.hasKey))
      }
      if output.verbose { environment.console.note(DatabaseReports.counts(report.tables)) }
      try environment.console.print(
        DatabaseMessage.backedUp(file, rows: rows, tables: report.tables.count, hasKey: report.hasKey))
    }

    private struct Report: Encodable {
      let file: String
      let rows: Int
      let tables: [String: Int]
      let madeAt: Date
      let withKey: Bool
    }
  }

  /// `ostiary database restore`.
  struct Restore: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Restore a back-up into a new database.",
      discussion: """
        The target is a data folder or a database of PostgreSQL without users; no server may use it. The file is read to its end \
        first, and one that is cut off or was changed is refused. Each table is counted and compared. Until all of it is \
        there no server opens the target: after a restore that was ended, begin it again.

        Sessions and tokens are those of the moment of the back-up: what ended later is alive again.

        Example:

          ostiary database restore /backups/ostiary.backup --data /var/lib/ostiary
        """)

    @Argument(help: "The file of the back-up.", completion: .file())
    var file: String

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let place = try data.storage(environment, try Folders(environment))
      let report = try await place.restore(environment.url(path: file), keys: data.key.sources(environment))
      let rows = report.tables.reduce(0) { $0 + $1.rows }
      if output.json {
        return try environment.console.print(
          json: Report(
            rows: rows, tables: report.tables.byName, madeAt: report.madeAt, key: report.key.rawValue, to: place.shown))
      }
      if output.verbose { environment.console.note(DatabaseReports.counts(report.tables)) }
      try environment.console.print(
        DatabaseMessage.restored(rows: rows, tables: report.tables.count, to: place.shown))
      switch report.key {
      case .needed: environment.console.warn(DatabaseMessage.keyNeeded)
      case .restored: try environment.console.print(DatabaseMessage.keyRestored)
      case .present: break
      }
    }

    private struct Report: Encodable {
      let rows: Int
      let tables: [String: Int]
      let madeAt: Date
      /// `restored`, `present` or `needed`.
      let key: String
      let to: String
    }
  }
}
