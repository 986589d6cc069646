internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

extension UserCommand {
  /// `ostiary user add`.
  struct Add: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a user.", discussion: "Asks for the password on the terminal, twice.")

    @Argument(help: "The name to sign in with.")
    var name: String

    @Option(help: "The name to show.")
    var displayName: String?

    @Option(help: "The e-mail address; at some doors a name to sign in with, too.")
    var email: String?

    @Option(parsing: .singleValue, help: "Something doors want to know: accessGroup=Uplus:Users.")
    var attribute: [String] = []

    @Flag(help: "Read the password from standard input.")
    var passwordStdin = false

    @Flag(help: "Hash cheaply and take any password: for development only.")
    var dev = false

    @OptionGroup var tenant: TenantOptions
    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let attributes = try attributes()
      let user = try await UserAdministration.withIdentity(
        data, environment, isVerbose: output.verbose, isNew: true, isDevelopment: dev
      ) {
        identity in
        if try await identity.user(named: name, tenant: tenant.tenant) != nil {
          // Reported before the command asks for a password.
          throw ServerError(.userExists, "There is a user “\(name)” already.", advice: "Choose another name.")
        }
        let password = try await NewPassword(environment: environment, readsStandardInput: passwordStdin)
          .get(for: name, identity.passwordPolicy)
        return try await identity.addUser(
          name: name, tenant: tenant.tenant, displayName: displayName, email: email, password: password,
          attributes: attributes)
      }
      try UserAdministration.show(user, "is added", asJSON: output.json, environment.console)
    }

    private func attributes() throws -> [String: JSONValue] {
      var attributes: [String: JSONValue] = [:]
      for text in attribute {
        guard let separator = text.firstIndex(of: "="), separator > text.startIndex else {
          throw OstiaryError.usage("“\(text)” is not an attribute.", advice: "Write --attribute name=value.")
        }
        attributes[String(text[..<separator])] = .string(String(text[text.index(after: separator)...]))
      }
      return attributes
    }
  }

  /// `ostiary user list`.
  struct List: OstiarySubcommand {
    static let configuration = CommandConfiguration(abstract: "List the users.")

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) async throws {
      let users = try await UserAdministration.withIdentity(data, environment, isVerbose: output.verbose) {
        try await $0.users()
      }
      if output.json { return try environment.console.print(json: users.map(UserReport.init)) }
      guard !users.isEmpty else { return try environment.console.print("There are no users yet.") }
      var table = Table(["NAME", "TENANT", "SHOWN AS", "STATE", "ADDED", "ATTRIBUTES"])
      for report in users.map(UserReport.init) {
        table.add([
          report.name, report.tenant ?? "–", report.displayName, report.state,
          Timestamp.text(report.createdAt), report.attributesInWords,
        ])
      }
      for line in table.lines { try environment.console.print(line) }
    }
  }

  /// `ostiary user disable`.
  struct Disable: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Keep a user out.", discussion: "All sessions of the user end at once, in a running server too.")

    @OptionGroup var user: UserOptions
    var output: OutputOptions { user.output }

    func run(in environment: CommandEnvironment) async throws {
      try await user.change(in: environment, saying: "is disabled") { [name = user.name, tenant = user.tenant.tenant] in
        try await $0.disableUser(named: name, tenant: tenant)
      }
    }
  }

  /// `ostiary user enable`.
  struct Enable: OstiarySubcommand {
    static let configuration = CommandConfiguration(abstract: "Let a user in again.")

    @OptionGroup var user: UserOptions
    var output: OutputOptions { user.output }

    func run(in environment: CommandEnvironment) async throws {
      try await user.change(in: environment, saying: "is enabled") { [name = user.name, tenant = user.tenant.tenant] in
        try await $0.enableUser(named: name, tenant: tenant)
      }
    }
  }

  /// `ostiary user password`.
  struct Password: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Give a user a new password.",
      discussion: "All sessions of the user end at once, in a running server too.")

    @OptionGroup var user: UserOptions
    var output: OutputOptions { user.output }

    @Flag(help: "Read the password from standard input.")
    var passwordStdin = false

    @Flag(help: "Hash cheaply and take any password: for development only.")
    var dev = false

    func run(in environment: CommandEnvironment) async throws {
      try await user.change(in: environment, isDevelopment: dev, saying: "has a new password") {
        [name = user.name, tenant = user.tenant.tenant, passwordStdin] identity in
        guard try await identity.user(named: name, tenant: tenant) != nil else {
          throw ServerError(.userNotFound, "There is no user “\(name)”.", advice: "See `ostiary user list`.")
        }
        let password = try await NewPassword(environment: environment, readsStandardInput: passwordStdin)
          .get(for: name, identity.passwordPolicy)
        return try await identity.setPassword(password, forUserNamed: name, tenant: tenant)
      }
    }
  }
}

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
