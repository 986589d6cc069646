internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryPrivateFiles
internal import OstiaryServer

/// `ostiary serve`.
struct ServeCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the server that speaks every protocol Ostiary knows.",
    discussion: ([introduction] + CommandDoors.kinds.compactMap { $0.discussion } + [ending]).joined(separator: "\n\n"))

  private static let introduction = """
    The server keeps users and sessions in a folder, or in memory. Add users with `ostiary user add`, also while it runs, \
    or one with --user. Plain HTTP is for this machine only. Elsewhere the server needs a certificate, or a proxy that has \
    one: --public-url https://id.example.org --trust-proxy 127.0.0.1.
    """

  private static let ending = """
    Ctrl-C or SIGTERM lets requests in flight finish; a second one does not.

    Quick start: ostiary serve --in-memory --user alice
    """

  @OptionGroup var file: ConfigurationOptions
  @OptionGroup var data: DataOptions

  @Flag(help: "Keep everything in memory; it is gone when the server stops.")
  var inMemory = false

  @Option(help: "How many days events are kept; see `ostiary audit`.")
  var auditDays = 400

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes a free one.")
  var port = 8080

  @Option(help: "The origin that clients use, if it is another: https://id.example.org.")
  var publicURL: String?

  @Option(
    name: .customLong("trust-proxy"), parsing: .singleValue,
    help: "The numeric address of a proxy that names the client in X-Forwarded-For; may be given several times.")
  var trustedProxies: [String] = []

  @Option(help: "A PEM file with the certificate, followed by intermediate ones.", completion: .file())
  var tlsCert: String?

  @Option(help: "A PEM file with the certificate's private key.", completion: .file())
  var tlsKey: String?

  @Flag(help: "Use TLS with a certificate of a development authority that the server makes.")
  var devTLS = false

  @Flag(help: "Hash cheaply and take any password: for development, on this machine only.")
  var dev = false

  @Option(help: "Add this user first, if there is none of that name. The command asks for the password.")
  var user: String?

  @Flag(help: "Read the password of --user from standard input.")
  var passwordStdin = false

  @OptionGroup(title: "Account and mail options") var service: ServiceOptions
  @OptionGroup var doors: CommandDoors
  @OptionGroup(title: "Account and mail options") var mail: MailOptions
  @OptionGroup(title: "Options for those who watch the server") var operations: OperationsOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    // A configuration file may say what is missing here; it is looked at together with the options.
    if file.configuration == nil, let message = contradictions.first { throw ValidationError(message) }
  }

  func run(in environment: CommandEnvironment) async throws {
    if file.printConfigurationSchema { return try environment.console.print(json: Self.configurationSchema()) }
    if let command = try fromFile(environment) { return try await command.run(in: environment) }
    let folders = try Folders(environment)
    let supervision = Supervision(environment)
    let application = try OstiaryApplication(
      try configuration(environment, folders), logger: operations.logger(environment, verbose: output.verbose))
    let signals: StopSignals
    do {
      // Problems of the server's start are reported before the user is asked for a password.
      let running = try await application.start()
      let name = try await firstUser(application.identity, environment)
      // Not before a question was asked: the question handles signals in its own way.
      signals = await StopSignals()
      let authorityFile = try authorityFile(running, folders, environment)
      application.announce(user: name, authorityFile: authorityFile)
      let announcement = ServeAnnouncement(
        running, storage: application.configuration.storage, keyFile: application.configuration.keys.file, user: name,
        offersSignUp: application.configuration.accounts?.offersSignUp == true, isDevelopment: dev,
        authorityFile: authorityFile)
      if output.verbose {
        environment.console.note(application.resources.map { "\($0.line)" })
      }
      if output.json {
        try environment.console.print(json: announcement)
      } else {
        try environment.console.print(announcement.lines)
      }
      supervision.tellReady(origin: running.origin.description)
    } catch {
      await application.stop()
      throw error
    }
    let (stops, stop) = AsyncStream<Void>.makeStream()
    async let end: Void = Self.waitForEnd(of: application, stop)
    // It ends with this scope. Until then a second signal ends the process.
    async let _: Void = signals.follow {
      environment.console.note(ServeMessage.stopping)
      supervision.tellStopping()
      stop.finish()
    }
    async let _: Void = supervision.watch { await application.isAlive }
    for await _ in stops {}
    await application.stop()
    try await end
  }

  /// Waits until the server has stopped serving, by itself or on request.
  private static func waitForEnd(
    of application: OstiaryApplication, _ stop: AsyncStream<Void>.Continuation
  ) async throws {
    defer { stop.finish() }
    try await application.waitUntilStopped()
  }

  /// The command that a configuration file and these options say together; nil without a file.
  private func fromFile(_ environment: CommandEnvironment) throws -> ServeCommand? {
    guard let path = file.configuration else { return nil }
    do {
      let arguments = Array(CommandEnvironment.arguments.dropFirst())
      return try ServeConfiguration(path: path, arguments: arguments, environment: environment).command()
    } catch let problems as ConfigurationProblems where !output.json {
      environment.console.note(problems.lines)
      throw ExitStatus.usage
    }
  }

  private func configuration(_ environment: CommandEnvironment, _ folders: Folders) throws -> ServerConfiguration {
    var configuration = try server(environment, folders)
    configuration.mail = try mail.configuration(serviceName: service.serviceName, environment)
    return configuration
  }

  /// The server that the options describe, without its mail.
  /// - Parameter doors: Whether its doors are told what the options say of them.
  func server(
    _ environment: CommandEnvironment, _ folders: Folders, doors hasDoors: Bool = true
  ) throws -> ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.host = host
    configuration.port = port
    configuration.publicOrigin = publicURL
    configuration.trustedProxies = trustedProxies
    configuration.audit.retention = .seconds(auditDays * 24 * 3600)
    // Settings that are looked at one by one name no address yet.
    configuration.storage =
      inMemory
      ? .memory
      : try hasDoors ? data.storage(environment, folders) : .folder(data.folder(environment, folders))
    configuration.keys = data.key.sources(environment)
    if let tlsCert, let tlsKey {
      configuration.tls = .files(
        certificate: environment.url(path: tlsCert).path(percentEncoded: false),
        key: environment.url(path: tlsKey).path(percentEncoded: false))
    } else if devTLS {
      configuration.tls = .developmentAuthority
    }
    configuration.operations = operations.operations
    configuration.node = operations.nodeName
    configuration.dangerouslyOffersOperationsBeyondLoopback = operations.insecureOperationsAddress
    configuration.tracing = try operations.tracing(environment, isWhole: hasDoors)
    configuration.development = dev ? .insecureForTests : nil
    if hasDoors { try doors.configure(&configuration, environment) }
    if let name = service.serviceName { configuration.accounts?.serviceName = name }
    return configuration
  }

  /// The user to show in the example, added if there is none.
  private func firstUser(_ identity: IdentityService, _ environment: CommandEnvironment) async throws -> String? {
    guard let user else { return try await identity.users().first { !$0.isDisabled && $0.tenant == nil }?.name }
    if try await identity.user(named: user) == nil {
      let password = try await NewPassword(environment: environment, readsStandardInput: passwordStdin)
        .get(for: user, identity.passwordPolicy)
      try await identity.addUser(name: user, password: password)
    }
    return user
  }

  /// The file of the development authority that a client has to trust.
  private func authorityFile(
    _ running: OstiaryApplication.Running, _ folders: Folders, _ environment: CommandEnvironment
  ) throws -> String? {
    guard let authority = running.authority else { return nil }
    let folder = inMemory ? folders.state : data.folder(environment, folders)
    let file = PrivateFile(url: folder.appending(path: "authority-\(running.port).pem"))
    try file.replace(with: Data(authority.utf8))
    return file.url.path(percentEncoded: false)
  }
}
