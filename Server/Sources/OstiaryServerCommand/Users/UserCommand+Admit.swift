internal import ArgumentParser
internal import OstiaryClientCommand
internal import OstiaryServer

extension UserCommand {
  /// `ostiary user admit`.
  struct Admit: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Let a user in who made the account themselves.",
      discussion: """
        With `ostiary serve --allow-sign-up` people make themselves accounts. Such an account sees its own records at the Salesforce \
        door, and passes the gateway with a proven address. This gives it what the accounts that you add have, also in a running \
        server.
        """)

    @OptionGroup var user: UserOptions
    var output: OutputOptions { user.output }

    @Flag(help: "Say that the e-mail address is the user's, as a mailed code would.")
    var verifyEmail = false

    func run(in environment: CommandEnvironment) async throws {
      try await user.change(in: environment, saying: "is admitted") {
        [name = user.name, tenant = user.tenant.tenant, verifyEmail] in
        try await $0.admitUser(named: name, tenant: tenant, answersForAddress: verifyEmail)
      }
    }
  }
}
