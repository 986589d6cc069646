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
      \(WhyCommand.configuration.discussion) With --server alone it shows the same of the server whose data is on this machine.
      """)

  @OptionGroup var data: DataOptions
  @OptionGroup var client: WhyCommand
  var output: OutputOptions { client.output }

  func validate() throws {
    guard client.server == .here || (data.data == nil && data.key.keyFile == nil && !data.database.isGiven) else {
      throw ValidationError(WhyMessage.dataOfThisMachine)
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    guard client.server == .here else { return try await client.run(in: environment) }
    let name = try client.subject(in: environment)
    let (records, names) = try await UserAdministration.withIdentity(
      data, environment, isVerbose: output.verbose, changes: false
    ) {
      [tenant = client.tenant, count = client.count] identity in
      var subject: (name: String, tenant: String?, id: String?)?
      if let name { subject = (name, tenant, try await identity.user(named: name, tenant: tenant)?.id) }
      return (
        try await identity.auditArchive.records(.story(of: subject, last: count)), try await AuditReport.names(identity)
      )
    }
    let reports = try records.map { try AuditReport($0, name: $0.userID.flatMap { names[$0] }) }
    try AuditReport.print(reports, asJSON: output.json, on: environment.console)
  }
}
