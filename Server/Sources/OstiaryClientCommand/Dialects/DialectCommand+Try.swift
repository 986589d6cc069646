internal import ArgumentParser
internal import Foundation
internal import OstiaryCore
internal import OstiaryDialect

extension DialectCommand {
  /// `ostiary dialect try`.
  struct Try: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Walk through a dialect's calls at a server, and tell what was read from where.",
      discussion: """
        Signs in, asks whether the session is good and who the user is, sends a request with --request, renews, and signs \
        out. Each call is shown with the names that it sends, what was found in the answer, and what was not. No value is \
        shown, and nothing is kept. The exit status is 0 when each call that the dialect has did its work.

          ostiary dialect try ours.json --server https://api.host --user alice \\
            --request /orders
        """)

    @Argument(help: "A file, or a name of `ostiary dialect list`.", completion: .file(extensions: ["json"]))
    var dialect: String

    @Option(
      parsing: .singleValue, help: "The server's base URL; also ROLE=URL, for further servers of the dialect.")
    var server: [String] = []

    @Option(help: "The user name.")
    var user: String

    @Option(
      name: .customLong("setting"), parsing: .singleValue,
      help: ArgumentHelp(
        "What the dialect has to know of your project; @FILE reads it from a file.", valueName: "name=value|@file"))
    var settings: [String] = []

    @Option(help: ArgumentHelp("A path to ask for with the session.", valueName: "path"))
    var request: String?

    @Option(
      help: "A PEM file with certificates to trust besides the system's.", completion: .file(extensions: ["pem"]))
    var caFile: String?

    @Flag(help: "Allow plain http to another machine, where others can read the password.")
    var insecureHTTP = false

    @OptionGroup(title: "Password options") var password: PasswordOptions
    @OptionGroup var timeout: TimeoutOptions
    @OptionGroup var output: OutputOptions

    static let hasSession = false

    func run(in environment: CommandEnvironment) async throws {
      let document = try DialectDocument(dialect, environment)
      let profile = try profile(document, environment)
      var kind = APIKind()
      let read = try document.dialect()
      kind.take(read)
      let certificates = caFile.map { environment.url(path: $0).path(percentEncoded: false) }
      if let certificates, !FileManager.default.isReadableFile(atPath: certificates) {
        throw OstiaryError.file(FileMessage.unreadable(certificates))
      }
      // Mistakes of the command line are reported before the user is asked for the password.
      _ = try kind.authenticator(for: profile, in: environment)
      if let request { _ = try DialectWalk.address(of: request, at: profile.server) }
      let secret = try await CredentialPrompt(profile: profile, environment: environment, options: password).password()
      let transport = try CommandTransport(trusting: certificates, timeout: timeout.given)
      let walk = try DialectWalk(kind, profile, over: transport, environment, isShown: !output.json)
      do {
        try await walk.go(password: secret, request: request)
        await transport.close()
      } catch {
        await transport.close()
        throw error
      }
      let report = walk.report
      if output.json { try environment.console.print(json: report) }
      guard report.passed else {
        let message: DialectTryMessage = report.hasNoAnswer ? .noAnswer : .notAll
        if !output.json { try environment.console.print(message) }
        throw ExitStatus.failure
      }
      guard !output.json else { return }
      try environment.console.print(DialectTryMessage.all)
      let met = Set(report.calls.compactMap(\.meaning))
      let unmet = read.meaningNames.filter { !met.contains($0) }
      if !unmet.isEmpty { try environment.console.print(DialectTryMessage.unmet(unmet)) }
    }

    /// A profile for one run, which is kept nowhere.
    private func profile(_ document: DialectDocument, _ environment: CommandEnvironment) throws -> Profile {
      let api = APILogin(servers: server)
      let texts = try api.options(APIKind.name, dialect: dialect, settings: settings, given: [], environment)
      guard let address = api.server else { throw OstiaryError.usage(LoginMessage.noServer(kind: APIKind.name)) }
      guard let url = URL(string: address), Origin(url) != nil, address == address.withoutUserInformation else {
        throw OstiaryError.usage(ServerAddressMessage.noServer(address.withoutUserInformation))
      }
      guard !user.isEmpty, user == user.printable else { throw OstiaryError.usage(LoginMessage.badUserName) }
      var options: [String: String] = [:]
      for text in texts {
        let name = text.prefix { $0 != "=" }
        options[String(name)] = String(text.dropFirst(name.count + 1))
      }
      if insecureHTTP { options[KindOption.insecureHTTP.name] = "allowed" }
      return Profile(
        name: document.name, kind: AuthenticatorKind(APIKind.name), server: url, user: user, method: nil,
        options: options, certificateFile: nil)
    }
  }
}
