internal import ArgumentParser
internal import OstiaryCore

/// `ostiary doctor`.
struct DoctorCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check what signing in needs, from the profile to the session.",
    discussion: """
      Looks at the profile, the store of sessions, the clock, the server's name, its certificate, proxies, a gateway, the \
      server and the session: one line each, with what to do. ✓ is well, ! works and is worth a look, ✗ has failed, – was \
      not checked, with the reason. Without a profile it checks this machine alone. It signs in, renews and ends nothing.

      The result can be pasted into an issue. It never has a password, token, key, proxy's password or user name; paths in \
      the home folder begin with ~. Names of hosts are in it unless --hide-hosts is given, and so is what you have named \
      the profile.

      The exit status is 0 if no check has failed, otherwise that of the first ✗: 7 the profiles or the store, 5 the name, \
      the certificate or the connection, 6 the server, 3 no session or one that the server refuses, 2 what was typed.
      """)

  @Flag(help: "Leave the names of hosts out, too.")
  var hideHosts = false

  @OptionGroup var profile: ProfileOptions
  @OptionGroup var timeout: TimeoutOptions
  @OptionGroup var output: OutputOptions

  func run(in environment: CommandEnvironment) async throws {
    let doctor = Doctor(
      environment: environment, logger: logger(environment), name: profile.profile, hidesHosts: hideHosts,
      limit: timeout.given ?? TransportRequest.defaultTimeout)
    let report = try await environment.console.progress(DoctorMessage.checking) { await doctor.run() }
    if output.json {
      try environment.console.print(json: report.document)
    } else {
      try environment.console.print(report.lines)
    }
    if report.status != .success { throw report.status }
  }
}
