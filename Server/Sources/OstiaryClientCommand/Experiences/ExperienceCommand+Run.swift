internal import ArgumentParser
internal import Foundation
internal import OstiaryCore
internal import OstiaryExperiences
internal import OstiaryPrivateFiles

extension ExperienceCommand {
  /// `ostiary experience run`.
  struct Run: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Run an experience in the terminal.",
      discussion: """
        With a URL, the server's experience is fetched as apps do it (/v1/experience below the URL), and what is entered is \
        sent to the same server: /signup, /validate, /login and /recover below the URL. With a file, --server names the \
        server that gets what is entered; without it fields are checked here only, and nothing is sent.

        Questions are answered line by line, from a terminal, which does not show passwords, or from a pipe. A line left \
        empty keeps what stands in brackets, and `:0` clears what may be left out. `:` and a number chooses another \
        action, `::` begins a value with a colon, and `:` alone lists what can be chosen, at a password too. The end of \
        input closes the experience. The conversation goes to standard output, with --json to standard error. The exit status is 3 when \
        no user has signed in.

          ostiary serve --in-memory --dev
          ostiary experience run http://127.0.0.1:8080/primer --token TOKEN
        """)

    @Argument(
      help: "The server's URL, or a document.", completion: .file(extensions: ["json"]))
    var source: String

    @Option(help: "The URL of the server that gets what is entered, when the experience is a file.")
    var server: String?

    @Option(help: "The app's token at the server (X-Primer-Token).")
    var token: String?

    @Option(help: "Which experience to ask for.")
    var type = ExperienceType.automatic

    @Option(help: "The flow to begin with, by its id; by default the first of the experience's type.")
    var flow: String?

    @Option(help: "The language to show it in, such as de-CH; may be repeated. (default: the environment's)")
    var language: [String] = []

    @Option(
      name: [.customShort("p"), .customLong("property")], parsing: .singleValue,
      help: "What is known of the user, for texts and fields: first_name=Ada. May be repeated.")
    var properties: [String] = []

    @Option(help: "The user that the experience is for, as the server knows it (X-Primer-User).")
    var user: String?

    @Option(help: "A PEM file with certificates to trust besides the system's.", completion: .file())
    var caFile: String?

    @Flag(help: "Allow plain http to another machine, where others can read what is entered.")
    var insecureHTTP = false

    @OptionGroup var timeout: TimeoutOptions
    @OptionGroup var output: OutputOptions

    /// Whether the source is a server.
    private var isURL: Bool { source.contains("://") }
    /// Whether the values stay in this process.
    private var isLocal: Bool { !isURL && server == nil }

    func validate() throws {
      if isURL, server != nil { throw ValidationError(ExperienceMessage.serverWithURL) }
      if source == "-" { throw ValidationError(ExperienceMessage.standardInput) }
      if !isURL, server == nil, token != nil { throw ValidationError(ExperienceMessage.tokenWithoutServer) }
      if let wrong = properties.first(where: { !$0.contains("=") || $0.hasPrefix("=") }) {
        throw ValidationError(ExperienceMessage.badProperty(wrong))
      }
    }

    func run(in environment: CommandEnvironment) async throws {
      let certificates = caFile.map { environment.url(path: $0).path(percentEncoded: false) }
      if let certificates, !FileManager.default.isReadableFile(atPath: certificates) {
        throw OstiaryError.file(FileMessage.unreadable(certificates))
      }
      let transport = try CommandTransport(trusting: certificates, timeout: timeout.given)
      do {
        try await run(over: transport, environment)
        await transport.close()
      } catch {
        await transport.close()
        throw error
      }
    }

    private func run(over transport: CommandTransport, _ environment: CommandEnvironment) async throws {
      let console = environment.console
      let server = try (isURL ? source : server).map {
        try OnboardingServer($0, token: token, insecureHTTP: insecureHTTP, transport: transport)
      }
      guard let experience = try await experience(from: server, environment) else {
        return try show(.nothing, console)
      }
      if let flow, experience.flow(flow) == nil {
        throw OstiaryError.usage(ExperienceMessage.unknownFlow(flow, known: experience.flows.map(\.id.printable)))
      }
      if isLocal {
        console.note(ExperienceMessage.nothingSent)
      }
      let sink = output.json ? console.textError : console.textOutput
      let app = OnboardingApp(server) { url in
        // A browser only if a person can see it; the address in every case.
        try? sink.write(Data(("→ " + url.absoluteString.printable + "\n").utf8))
        if environment.answers.isTerminal { try? await environment.browser(url) }
      }
      let runner = ExperienceRunner(
        experience, as: type.kind, flow: flow, languages: languages(environment), properties: knownProperties,
        delegate: app)
      app.follow(runner)
      let terminal = ConversationTerminal(
        sink, answers: environment.answers,
        layout: {
          TerminalLayout(
            columns: console.knownWidth(of: sink), isolatesDirections: sink.isTerminal && console.writesUTF8)
        }, lastWords: console.text(of: ExperienceMessage.interrupted(isLocal: isLocal), for: sink))
      defer { terminal.close() }
      let outcome = try await TerminalRenderer(terminal).run(runner)
      try finish(outcome, in: runner.snapshot, app, hasRunOut: terminal.hasRunOut, console)
    }

    private func experience(
      from server: OnboardingServer?, _ environment: CommandEnvironment
    ) async throws -> Experience? {
      if isURL, let server {
        return try await environment.console.progress(SessionMessage.asking(place: server.name)) {
          try await server.experience(type, user: user)
        }
      }
      let file = try ExperienceFile(source, environment)
      let report = Experience.check(json: file.json)
      guard report.experience == nil else { return report.experience }
      if output.json {
        environment.console.note(json: ExperienceReport(report, of: file.name))
      } else {
        environment.console.note(ExperienceReport(report, of: file.name).lines)
      }
      throw ExitStatus.failure
    }

    private func finish(
      _ outcome: ExperienceOutcome, in end: ExperienceSnapshot, _ app: OnboardingApp, hasRunOut: Bool,
      _ console: Console
    ) throws {
      // A user who stops because the server can't be reached has not declined.
      if hasRunOut, let failure = app.lastFailure { throw failure }
      try show(ExperienceOutcomeReport(outcome, flow: end.flow, isLocal: isLocal), console)
      switch outcome {
      case .signedIn, .completed: return
      // A conversation that signs no user in ends when it is closed, unless the answers ran out.
      case .skipped, .dismissed: if end.flowKind != .custom || hasRunOut { throw ExitStatus.signedOut }
      }
    }

    private func show(_ report: ExperienceOutcomeReport, _ console: Console) throws {
      if output.json { return try console.print(json: report) }
      try console.print(report.message)
    }

    private var knownProperties: [String: JSONValue] {
      var known: [String: JSONValue] = [:]
      for property in properties {
        let parts = property.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        known[parts[0]] = .string(parts.count > 1 ? parts[1] : "")
      }
      return known
    }

    /// The user's languages: from the option, or from the environment (POSIX: `LC_ALL`, `LC_MESSAGES`, `LANG`).
    private func languages(_ environment: CommandEnvironment) -> [String] {
      guard language.isEmpty else { return language }
      let setting = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment.variables[$0] }
        .first { !$0.isEmpty }
      let name = String((setting ?? "").prefix { $0 != "." && $0 != "@" })
      return name.isEmpty || name == "C" || name == "POSIX" ? [] : [name.replacing("_", with: "-")]
    }
  }
}
