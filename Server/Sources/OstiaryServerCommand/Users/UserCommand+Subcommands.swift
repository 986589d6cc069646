internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

extension UserCommand {
  /// `ostiary user add`.
  struct Add: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a user.", discussion: "The command asks for the password on the terminal, twice.")

    @Argument(help: "The name to sign in with.")
    var name: String

    @Option(help: "The name to show.")
    var displayName: String?

    @Option(help: "The e-mail address; at some doors a name to sign in with, too.")
    var email: String?

    @Option(
      parsing: .singleValue, help: "An attribute for a door, as accessGroup=Uplus:Users; may be given several times.")
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
          throw ServerError(.userExists, UserMessage.exists(name))
        }
        let password = try await NewPassword(environment: environment, readsStandardInput: passwordStdin)
          .get(for: name, identity.passwordPolicy)
        return try await identity.addUser(
          name: name, tenant: tenant.tenant, displayName: displayName, email: email, password: password,
          attributes: attributes)
      }
      try UserAdministration.show(user, UserMessage.added(user.name), asJSON: output.json, environment.console)
    }

    private func attributes() throws -> [String: JSONValue] {
      var attributes: [String: JSONValue] = [:]
      for text in attribute {
        guard let separator = text.firstIndex(of: "="), separator > text.startIndex else {
          throw OstiaryError.usage(UserMessage.badAttribute(text))
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
      guard !users.isEmpty else { return try environment.console.print(UserMessage.noneYet) }
      var table = Table(["NAME", "TENANT", "SHOWN AS", "STATE", "ADDED", "ATTRIBUTES"])  // data: a header
      for report in users.map(UserReport.init) {
        table.add([
          report.name, report.tenant ?? "–", report.displayName, report.state,
          Timestamp.text(report.createdAt), report.attributesInWords,
        ])
      }
      try environment.console.print(table)
    }
  }

  /// `ostiary user disable`.
  struct Disable: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Keep a user out.", discussion: "All sessions of the user end at once, in a running server too.")

    @OptionGroup var user: UserOptions
    var output: OutputOptions { user.output }

    func run(in environment: CommandEnvironment) async throws {
      try await user.change(in: environment, saying: UserMessage.disabled) {
        [name = user.name, tenant = user.tenant.tenant] in
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
      try await user.change(in: environment, saying: UserMessage.enabled) {
        [name = user.name, tenant = user.tenant.tenant] in
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
      try await user.change(in: environment, isDevelopment: dev, saying: UserMessage.hasNewPassword) {
        [name = user.name, tenant = user.tenant.tenant, passwordStdin] identity in
        guard try await identity.user(named: name, tenant: tenant) != nil else {
          throw ServerError(.userNotFound, UserMessage.unknown(name))
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
      abstract: "Admit a user who has made the account.",
      discussion: """
        With `ostiary serve --allow-sign-up` users make their own accounts. Such an account sees only its own records at \
        the Salesforce door, and passes the gateway only with a proven address. This command gives it the rights of an \
        account that you add, also in a running server.
        """)

    @OptionGroup var user: UserOptions
    var output: OutputOptions { user.output }

    @Flag(help: "Mark the e-mail address as proven, as a mailed code does.")
    var verifyEmail = false

    func run(in environment: CommandEnvironment) async throws {
      try await user.change(in: environment, saying: UserMessage.admitted) {
        [name = user.name, tenant = user.tenant.tenant, verifyEmail] in
        try await $0.admitUser(named: name, tenant: tenant, answersForAddress: verifyEmail)
      }
    }
  }
}
