internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryServer

extension DatabaseCommand {
  /// `ostiary database check`.
  struct Check: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Look at a database, and change nothing.",
      discussion: """
        The command tells whether the database is in use here, how its migrations stand to those of this program, how many rows \
        each table has, what the engine finds of its files, indexes and settings, and whether the key is the database's. The \
        exit status is 1 if a part has failed. Servers may run meanwhile.
        """)

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let place = try data.existingStorage(environment)
      let check = try await place.check(keys: data.key.sources(environment))
      if output.json {
        try environment.console.print(json: Report(check, place.shown))
      } else {
        try environment.console.print(DatabaseMessage.database(place.shown, engine: check.engine, check.version))
        if output.verbose { try environment.console.print(DatabaseReports.counts(check.tables)) }
        for finding in check.findings {
          try environment.console.print(
            DatabaseMessage.finding(finding.part.rawValue, finding.state.rawValue, finding.words))
        }
      }
      if !check.isGood { throw ExitStatus.failure }
    }

    private struct Report: Encodable {
      struct Finding: Encodable {
        let part: String
        let state: String
        let cause: String?
      }

      let good: Bool
      let place: String
      let engine: String
      let version: String
      /// `equal`, `older`, `newer` or `none`.
      let migrations: String
      let pending: [String]
      let tables: [String: Int]
      let findings: [Finding]

      init(_ check: DatabaseCheck, _ place: String) {
        good = check.isGood
        self.place = place
        (engine, version) = (check.engine, check.version)
        (migrations, pending) = (check.age.rawValue, check.pending)
        tables = check.tables.byName
        findings = check.findings.map {
          Finding(part: $0.part.rawValue, state: $0.state.rawValue, cause: $0.words.isEmpty ? nil : $0.words)
        }
      }
    }
  }

  /// `ostiary database migrate`.
  struct Migrate: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a database's tables, or bring them up to date, without serving.",
      discussion: """
        A server does the same when it starts. A database that a newer Ostiary has written is refused. Make a back-up first: \
        there is no way back.
        """)

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let place = try data.storage(environment, try Folders(environment))
      let (before, after) = try await place.migrate(keys: data.key.sources(environment))
      let run = after.filter { !before.contains($0) }
      if output.json {
        return try environment.console.print(json: Report(from: before.last, to: after.last, run: run))
      }
      if output.verbose { environment.console.note(run.map { "  \($0, .dim)" }) }
      try environment.console.print(
        DatabaseMessage.migrated(from: before.last, to: after.last ?? "", count: run.count))
    }

    private struct Report: Encodable {
      let from: String?
      let to: String?
      let run: [String]
    }
  }
}

/// What several of the commands show.
enum DatabaseReports {
  /// The tables with the numbers of their rows.
  static func counts(_ tables: [TableCount]) -> [Line] { tables.map { "  \($0.name, .dim)  \("\($0.rows)")" } }
}

extension [TableCount] {
  /// The numbers of rows by the tables' names.
  var byName: [String: Int] { Dictionary(map { ($0.name, $0.rows) }) { $1 } }
}
