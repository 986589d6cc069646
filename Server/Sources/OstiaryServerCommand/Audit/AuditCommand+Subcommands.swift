internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

extension AuditCommand {
  /// `ostiary audit list`.
  struct List: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the last events.", discussion: "Oldest first, with their causes.")

    @Option(name: [.customShort("n"), .long], help: "How many events to show.")
    var count = 50

    @OptionGroup var filter: AuditFilterOptions
    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard (1...100_000).contains(count) else { throw ValidationError(AuditMessage.badCount(most: 100_000)) }
    }

    func run(in environment: CommandEnvironment) async throws {
      let (records, names) = try await UserAdministration.withIdentity(
        data, environment, isVerbose: output.verbose, changes: false
      ) {
        identity in
        var query = try await filter.query(identity)
        query.last = count
        return (try await identity.auditArchive.records(query), try await AuditReport.names(identity))
      }
      let reports = try records.map { try AuditReport($0, name: $0.userID.flatMap { names[$0] }) }
      if output.json { return try environment.console.print(json: reports) }
      guard !reports.isEmpty else { return try environment.console.print(AuditMessage.nothingOfThatKind) }
      try environment.console.print(reports.map(\.line))
    }
  }

  /// `ostiary audit verify`.
  struct Verify: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Tell whether the events are all there, unchanged and in order.",
      discussion: """
        Each event is chained to the one before it with the server's key. If a row was changed, removed, moved or cut off \
        at the end, the command names the first one that is wrong, and the exit status is 1. What happened in the last \
        second, or was done by a program that was killed, has no place in the chain yet.
        """)

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let result = try await UserAdministration.withIdentity(
        data, environment, isVerbose: output.verbose, changes: false
      ) {
        try await $0.auditArchive.verify()
      }
      if output.json {
        try environment.console.print(json: VerificationReport(result))
      } else if let problem = result.problem {
        try environment.console.print(AuditMessage.broken(problem.words))
      } else {
        try environment.console.print(
          AuditMessage.whole(
            events: result.sealed, first: result.start + 1, last: result.end, waiting: result.unsealed))
      }
      if result.problem != nil { throw ExitStatus.failure }
    }
  }

  /// `ostiary audit export`.
  struct Export: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the events as JSON, one a line.",
      discussion: "Oldest first; with --json as one document. Users are named by their ids, which never change.")

    @OptionGroup var filter: AuditFilterOptions
    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let console = environment.console
      let isDocument = output.json
      let records = try await UserAdministration.withIdentity(
        data, environment, isVerbose: output.verbose, changes: false
      ) {
        identity -> [AuditRecord] in
        let query = try await filter.query(identity)
        if isDocument { return try await identity.auditArchive.records(query) }
        try await identity.auditArchive.read(query) { record in
          try console.output.write(try AuditReport(record).jsonLine())
        }
        return []
      }
      if isDocument { try console.print(json: records.map { try AuditReport($0) }) }
    }
  }
}
