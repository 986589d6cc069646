internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryServer

/// `ostiary node`.
struct NodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "node",
    abstract: "See the servers that share a database of PostgreSQL.",
    subcommands: [List.self])

  private static let name = "ostiary node"  // data: a name in the audit trail

  /// `ostiary node list`.
  struct List: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "List the servers.",
      discussion: """
        A server that has believed its caches in the last seconds has the numbers of the newest end that it was shown and of the \
        last one that it has applied. One without them asks the database for everything, or does not run.
        """)

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let nodes = try await UserAdministration.withIdentity(
        data, environment, isVerbose: output.verbose, changes: false, command: NodeCommand.name
      ) { try await $0.serverNodes() }
      let reports = nodes.map(Report.init)
      if output.json { return try environment.console.print(json: reports) }
      guard !reports.isEmpty else { return try environment.console.print(NodeMessage.none) }
      var table = Table(["ID", "VERSION", "SINCE", "LAST SEEN", "SHOWN", "APPLIED"])  // data: a header
      for report in reports {
        table.add([
          report.id, report.version, Timestamp.text(report.since), Timestamp.text(report.lastSeen),
          report.shown.map { "\($0)" } ?? "–", report.applied.map { "\($0)" } ?? "–",
        ])
      }
      try environment.console.print(table)
    }
  }

  /// A server for people and programs.
  private struct Report: Encodable {
    let id: String
    let version: String
    let since: Date
    let lastSeen: Date
    let shown: Int64?
    let applied: Int64?

    init(_ node: ServerNode) {
      (id, version, shown, applied) = (node.id, node.version, node.shown, node.applied)
      since = Date(timeIntervalSince1970: node.since)
      lastSeen = Date(timeIntervalSince1970: node.seenAt)
    }
  }
}
