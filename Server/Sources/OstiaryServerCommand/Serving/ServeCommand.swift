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
    discussion: """
      Keeps users and sessions in a folder, or in memory. Add users with `ostiary user add`, also while it runs, or one \
      with --user. Plain HTTP is for this machine only; elsewhere it takes a certificate, or a proxy that has one: \
      --public-url https://id.example.org --trust-proxy 127.0.0.1.

      Its gateway asks for a sign-in before anybody reaches another server: --gateway-upstream /app=http://127.0.0.1:9000. \
      Proxies that have their own way there ask /gateway/auth instead (nginx: /gateway/auth/nginx).

      Its own pages at /account are for signing in and, where there is a mail server (--mail-server, --mail-from), for \
      making an account (--allow-sign-up) and for a lost password; with --dev the mail is shown at \
      /insecure-development-mailbox instead.

      Apps with Primer's SDK get their experiences at /primer: a starter with sign-up (--allow-sign-up), log-in and recovery, or what \
      --primer-experience gives.

      Ctrl-C or SIGTERM lets requests in flight finish; a second one does not.

      Quick start: ostiary serve --in-memory --user alice
      """)

  @OptionGroup var data: DataOptions

  @Flag(help: "Keep everything in memory; it is gone when the server stops.")
  var inMemory = false

  @Option(help: "For how many days it is remembered what happened; see `ostiary audit`.")
  var auditDays = 400

  @Flag(name: .customLong("admin"), help: "Answer administrators from elsewhere, over HTTPS; see `ostiary admin`.")
  var answersAdministrators = false

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes a free one.")
  var port = 8080

  @Option(help: "The origin that clients use, if it is another: https://id.example.org.")
  var publicURL: String?

  @Option(
    name: .customLong("trust-proxy"), parsing: .singleValue,
    help: "The numeric address of a proxy that tells who the client is, in X-Forwarded-For.")
  var trustedProxies: [String] = []

  @Option(help: "A PEM file with the certificate, followed by intermediate ones.", completion: .file())
  var tlsCert: String?

  @Option(help: "A PEM file with the certificate's private key.", completion: .file())
  var tlsKey: String?

  @Flag(help: "Speak TLS with a certificate from a development authority of the server's own.")
  var devTLS = false

  @Flag(help: "Hash cheaply and take any password: for development, on this machine only.")
  var dev = false

  @Option(help: "Add this user first, if there is none of that name; asks for the password.")
  var user: String?

  @Flag(help: "Read the password of --user from standard input.")
  var passwordStdin = false

  @OptionGroup(title: "Account and mail options") var account: AccountOptions
  @OptionGroup var newzulu: NewzuluDoorOptions
  @OptionGroup(title: "Gateway options") var gateway: GatewayOptions
  @OptionGroup(title: "Salesforce options") var salesforce: SalesforceDoorOptions
  @OptionGroup(title: "Primer options") var primer: PrimerDoorOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if inMemory, data.data != nil { throw ValidationError("Give --data or --in-memory, not both.") }
    if inMemory, answersAdministrators {
      throw ValidationError("--admin needs a data folder, where `ostiary admin add` makes the tokens.")
    }
    if (tlsCert == nil) != (tlsKey == nil) { throw ValidationError("--tls-cert and --tls-key go together.") }
    if devTLS, tlsCert != nil { throw ValidationError("Give --tls-cert or --dev-tls, not both.") }
    for upstream in gateway.upstreams { _ = try GatewayOptions.junction(upstream) }
    guard (1...36_500).contains(auditDays) else { throw ValidationError("--audit-days takes 1 to 36500.") }
    if passwordStdin, user == nil { throw ValidationError("--password-stdin is for the password of --user.") }
  }

  func run(in environment: CommandEnvironment) async throws {
    let folders = try Folders(environment)
    let application = try OstiaryApplication(try configuration(environment, folders), logger: logger(environment))
    let signals: StopSignals
    do {
      // Nobody is asked for a password in vain: whatever keeps the server from starting is said first.
      let running = try await application.start()
      let name = try await firstUser(application.identity, environment)
      // Not before a question has been asked: asking has a use of its own for signals.
      signals = await StopSignals()
      let authorityFile = try authorityFile(running, folders, environment)
      application.announce(user: name, authorityFile: authorityFile)
      let announcement = ServeAnnouncement(
        running, storage: application.configuration.storage, user: name, offersSignUp: account.allowsSignUp,
        isDevelopment: dev, authorityFile: authorityFile)
      if output.verbose {
        for limit in application.resources { environment.console.note("\(limit.line)") }
      }
      if output.json {
        try environment.console.print(json: announcement)
      } else {
        for line in announcement.lines { try environment.console.print(line) }
      }
    } catch {
      await application.stop()
      throw error
    }
    let (stops, stop) = AsyncStream<Void>.makeStream()
    async let end: Void = Self.waitForEnd(of: application, stop)
    // It ends with this scope. Until then a second signal ends the process.
    async let _: Void = signals.follow {
      environment.console.note("\nStopping; Ctrl-C again stops at once.")
      stop.finish()
    }
    for await _ in stops {}
    await application.stop()
    try await end
  }

  /// Waits until the server serves no more, by itself or because it was asked to stop.
  private static func waitForEnd(
    of application: OstiaryApplication, _ stop: AsyncStream<Void>.Continuation
  ) async throws {
    defer { stop.finish() }
    try await application.waitUntilStopped()
  }

  private func configuration(_ environment: CommandEnvironment, _ folders: Folders) throws -> ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.host = host
    configuration.port = port
    configuration.publicOrigin = publicURL
    configuration.trustedProxies = trustedProxies
    configuration.audit.retention = .seconds(auditDays * 24 * 3600)
    configuration.storage = inMemory ? .memory : .folder(data.folder(environment, folders))
    if let tlsCert, let tlsKey {
      configuration.tls = .files(
        certificate: environment.url(path: tlsCert).path(percentEncoded: false),
        key: environment.url(path: tlsKey).path(percentEncoded: false))
    } else if devTLS {
      configuration.tls = .developmentAuthority
    }
    configuration.development = dev ? .insecureForTests : nil
    configuration.accounts = account.accounts
    configuration.mail = try account.mail(environment)
    configuration.newzulu = try newzulu.configuration(environment)
    configuration.gateway = try gateway.configuration { environment.url(path: $0) }
    configuration.salesforce = try salesforce.configuration(environment)
    configuration.primer = try primer.configuration(environment)
    configuration.administration = answersAdministrators ? AdministrationOptions() : nil
    return configuration
  }

  /// The user to show in the example, added if need be.
  private func firstUser(_ identity: IdentityService, _ environment: CommandEnvironment) async throws -> String? {
    guard let user else { return try await identity.users().first { !$0.isDisabled && $0.tenant == nil }?.name }
    if try await identity.user(named: user) == nil {
      let password = try await NewPassword(environment: environment, readsStandardInput: passwordStdin)
        .get(for: user, identity.passwordPolicy)
      try await identity.addUser(name: user, password: password)
    }
    return user
  }

  /// Where a client finds the development authority that it has to trust.
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
