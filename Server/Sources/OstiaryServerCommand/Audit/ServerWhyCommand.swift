internal import ArgumentParser
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// `ostiary why`, with the server's side if the server's data is on this machine.
struct ServerWhyCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: WhyCommand.configuration.commandName,
    abstract: WhyCommand.configuration.abstract,
    discussion: """
      \(WhyCommand.configuration.discussion) With --server, what the server whose data is on this machine has to say of a \
      user's sessions and tokens, in the same words.
      """)

  @Flag(help: "Show the server's side, from its data folder.")
  var server = false

  @Option(help: "With --server: the user. (default: the profile's)")
  var user: String?

  @OptionGroup var tenant: TenantOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var client: WhyCommand
  var output: OutputOptions { client.output }

  func validate() throws {
    guard server || (user == nil && tenant.tenant == nil && data.data == nil) else {
      throw ValidationError("--user, --tenant and --data go with --server.")
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    guard server else { return try await client.run(in: environment) }
    let name: String? = client.all ? nil : try user ?? client.userName(in: environment)
    let (records, names) = try await UserAdministration.withIdentity(
      data, environment, isVerbose: output.verbose, changes: false
    ) {
      [tenant = tenant.tenant, count = client.count] identity in
      var query = AuditArchive.Query()
      if let name { query.user = (name, tenant, try await identity.user(named: name, tenant: tenant)?.id) }
      query.last = count
      return (try await identity.auditArchive.records(query), try await AuditReport.names(identity))
    }
    let reports = records.map { AuditReport($0, name: $0.userID.flatMap { names[$0] }) }
    if output.json { return try environment.console.print(json: reports) }
    guard !reports.isEmpty else { return try environment.console.print("Nothing has happened yet.") }
    for report in reports { try environment.console.print(report.line) }
  }
}
