internal import ArgumentParser
internal import Foundation
internal import OstiaryCore

/// `ostiary login`.
struct LoginCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "login",
    abstract: "Sign in to a server and remember it as a profile.",
    discussion: """
      Asks for the password on the terminal without showing it. A kind of server that signs in with a browser opens \
      yours; BROWSER names another than the system's. The profile becomes the current one.

      Without a person, --password-command, --password-file or --password-credential gives the password. The profile \
      keeps this option, never the password, and later commands sign in with it again. The profile of a gateway has an \
      option of its own. The command of --password-command gets the variables OSTIARY_PROFILE, OSTIARY_USER and \
      OSTIARY_SERVER.

      Kinds of server:

      \(kinds)

      Examples:

        ostiary login pega --server https://host/prweb/PRServlet --user alice
        ostiary login salesforce --option client-id=3MVG9…
        ostiary login oidc https://login.host --api https://api.host/ --client-id tool
        ostiary login oidc --api https://api.host/orders --register
        ostiary login oauth --api https://host/api/ --client-id tool \\
          -o authorize-url=/authorize -o token-url=/token
        ostiary login api --dialect simplejwt --server https://api.host --user alice
        ostiary login api --dialect ours.json --server https://api.host --user alice

      A server behind a gateway has a profile of its own, behind that of the gateway:

        ostiary login gateway --server https://host/app/ --user alice --profile corp
        ostiary login pega --server https://host/app/prweb/PRServlet --user alice \\
          --behind corp
      """)

  /// The kinds with their options: names in one column, texts in another.
  private static var kinds: String {
    let width = ServerKinds.all.flatMap(\.options).map(\.name.count).max() ?? 0
    return ServerKinds.all.map { kind in
      let methods = kind.methods.isEmpty ? "" : " (--method \(kind.methods.joined(separator: "|")))"
      let options = kind.options.map { "\n    --option \("\($0.name)=…".padded(to: width + 2))  \($0.help)" }.joined()
      return "  \(kind.kind.rawValue.padded(to: 10))  \(kind.summary)\(methods)\(options)"
    }.joined(separator: "\n")
  }

  @Argument(
    help: ArgumentHelp("The kind of server: \(ServerKinds.names)."),
    completion: .list(ServerKinds.all.map(\.kind.rawValue)))
  var kind: String

  @Argument(help: ArgumentHelp("For oidc: the OpenID Connect server, as it names itself.", valueName: "issuer"))
  var issuer: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The server's base URL; for api also ROLE=URL, for further servers of a dialect. (default: the kind's own, "
        + "where it has one)"))
  var server: [String] = []

  @Option(help: "The user name. Leave it out where the server itself asks for it.")
  var user: String?

  @Option(help: "How to sign in, where the kind of server knows several ways.")
  var method: String?

  @Option(
    name: [.customShort("o"), .long], parsing: .singleValue,
    help: "A further option of the kind of server, NAME=VALUE.")
  var option: [String] = []

  @Option(
    help: "For pega and newzulu: a JSON file with the server's own names. Every later command reads it, too.",
    completion: .file(extensions: ["json"]))
  var config: String?

  @Option(name: .shortAndLong, help: "A name for the profile. (default: USER@HOST)")
  var profile: String?

  @Option(help: "A PEM file with certificates to trust for this server.", completion: .file(extensions: ["pem"]))
  var caFile: String?

  @Option(help: "The profile of a gateway that stands in front of the server.", completion: .profiles)
  var behind: String?

  @OptionGroup(title: "Options for oidc and oauth") var openID: OpenIDOptions
  @OptionGroup(title: "Options for api") var dialect: DialectOptions
  @OptionGroup(title: "Password options") var password: PasswordOptions
  @OptionGroup var timeout: TimeoutOptions
  @OptionGroup var trace: TraceOptions
  @OptionGroup var output: OutputOptions

  static let hasSession = false

  func run(in environment: CommandEnvironment) async throws {
    let folders = try Folders(environment)
    let store = ProfileStore(folders)
    let book = try store.load()
    // Before anything is sent: later may be too late.
    let traceFile = try trace.file(in: environment)
    let api = APILogin(servers: server)
    let options = try api.options(
      self.kind, dialect: dialect.dialect, settings: dialect.settings, given: option, environment)
    let found = try await OpenIDLogin.find(
      self.kind, issuer: issuer, server: api.server, method: method, openID, given: options, folders: folders,
      trace: traceFile, environment
    ) { [self] in
      try ways(environment, folders, book, traceFile)
    }
    let (made, kind) = try makeProfile(environment, book, found)
    var profile = made
    let previous = book[profile.name]
    profile.keepAccount(of: previous)
    let prompt = CredentialPrompt(profile: profile, environment: environment, options: password)
    let session = try ProfileSession(
      profile, kind: kind, folders: folders, environment: environment, logger: logger(environment),
      timeout: timeout.given, trace: traceFile,
      credentials: { [name = profile.name] layer in
        // The command asks for the password of its own server at once, and for a gateway's only if the gateway demands it.
        layer.name == name
          ? .manual
          : CredentialPrompt(profile: layer, environment: environment, isGateway: true).credentials
      })
    let report = try await session.use {
      try await refuseReplacing(previous, by: profile, folders, environment)
      let current = try await refuseSecondSignIn(session, previous, environment)
      let signedIn: Session
      if let current { signedIn = current } else { signedIn = try await signIn(session, prompt, environment) }
      if profile.user.isEmpty {
        profile.username = await session.kind.username(of: signedIn, through: session.manager)
      }
      do {
        try store.change { [profile] in try $0.put(profile, replacing: previous) }
      } catch {
        // Without its profile no command could reach the session.
        await session.manager.signOut()
        throw error
      }
      return StatusReport(.signedIn(signedIn), of: session, journal: nil, at: environment.clock.now)
    }
    if output.json { return try environment.console.print(json: report) }
    try environment.console.print(
      LoginMessage.signedIn(place: profile.place, user: profile.name(ofUser: report.user), profile: profile.name))
  }

  /// The connections on which a server is found, and the way over them: through the gateways that stand in front of it. A gateway's
  /// password is asked for only if that demands it.
  private func ways(
    _ environment: CommandEnvironment, _ folders: Folders, _ book: ProfileBook, _ trace: TraceFile?
  ) throws -> (transport: CommandTransport, way: any Transport) {
    let gateways = try book.gateways(behind: behind, of: profile)
    let own = caFile.map { environment.url(path: $0).path(percentEncoded: false) }
    let transport = try CommandTransport(
      trusting: own ?? gateways.last { $0.certificateFile != nil }?.certificateFile, timeout: timeout.given)
    var stack = ProfileStack(
      over: transport, folders: folders, environment: environment, logger: logger(environment), trace: trace)
    for gateway in gateways {
      try stack.add(
        gateway, ServerKinds.kind(of: gateway, in: environment),
        CredentialPrompt(profile: gateway, environment: environment, isGateway: true).credentials)
    }
    return (transport, stack.way)
  }

  private func signIn(
    _ session: ProfileSession, _ prompt: CredentialPrompt, _ environment: CommandEnvironment
  ) async throws -> Session {
    guard session.kind.takesPassword(session.profile) else {
      // The person signs in at another place, and the message here says how.
      return try await session.manager.signIn(with: .byHandler)
    }
    let credential = Credential.password(username: session.profile.user, password: try await prompt.password())
    // No progress is shown if the gateway or the server may ask: the terminal belongs to the question.
    guard session.gateways.isEmpty, !session.kind.asksWhileSigningIn else {
      return try await session.manager.signIn(with: credential)
    }
    return try await environment.console.progress(LoginMessage.signingIn(place: session.profile.place)) {
      try await session.manager.signIn(with: credential)
    }
  }

  /// The profile, and its kind with what its file says.
  private func makeProfile(
    _ environment: CommandEnvironment, _ book: ProfileBook, _ found: OpenIDLogin
  ) throws -> (Profile, any ServerKind) {
    let named = try ServerKinds.kind(named: self.kind)
    let file = config.map { environment.url(path: $0) }
    let kind = try file.map { try named.configured(by: $0) } ?? named
    guard let server = found.server ?? kind.configuration.server?.absoluteString ?? kind.usualServer?.absoluteString
    else {
      throw OstiaryError.usage(LoginMessage.noServer(kind: kind.kind.rawValue))
    }
    guard server == server.withoutUserInformation else {
      throw OstiaryError.usage(ServerAddressMessage.userInformationBesideUser)
    }
    guard let url = URL(string: server), Origin(url) != nil else {
      throw OstiaryError.usage(ServerAddressMessage.noServer(server))
    }
    let user = user ?? ""
    guard user == user.printable, self.user?.isEmpty != true else {
      throw OstiaryError.usage(LoginMessage.badUserName)
    }
    if let method, !kind.methods.contains(method) {
      throw OstiaryError.usage(
        LoginMessage.unknownMethod(kind: kind.kind.rawValue, method: method, known: kind.methods))
    }
    let options = try options(found.options, for: kind, environment)
    let name = profile ?? book.newName(user: user, server: url, kind: kind.kind)
    guard Profile.isValid(name: name) else {
      throw OstiaryError.usage(LoginMessage.badProfileName(name))
    }
    let certificates = caFile.map { environment.url(path: $0).path(percentEncoded: false) }
    if let certificates, !FileManager.default.isReadableFile(atPath: certificates) {
      throw OstiaryError.file(FileMessage.unreadable(certificates))
    }
    func draft(_ server: URL) -> Profile {
      Profile(
        name: name, kind: kind.kind, server: server, user: user,
        // The file says how to sign in, unless the command line does.
        method: method ?? (file == nil ? kind.methods.first : nil), options: options.isEmpty ? nil : options,
        configurationFile: file?.path(percentEncoded: false), certificateFile: certificates, behind: behind,
        passwordSource: password.source(in: environment))
    }
    guard !user.isEmpty || !kind.takesPassword(draft(url)) else {
      throw OstiaryError.usage(LoginMessage.noUserName(kind: kind.kind.rawValue))
    }
    guard !password.isGiven || kind.takesPassword(draft(url)) else {
      throw OstiaryError.usage(LoginMessage.takesNoPassword)
    }
    // The server's address in the form of its kind: two spellings of it are one profile.
    let result = draft(try kind.authenticator(for: draft(url), in: environment).server)
    _ = try book.gateways(before: result)
    return (result, kind)
  }

  private func options(
    _ texts: [String], for kind: any ServerKind, _ environment: CommandEnvironment
  ) throws -> [String: String] {
    let configuration = kind.configuration
    let needed = kind.options.filter { $0.isRequired && !configuration.optionsInFile.contains($0.name) }
    let example = (needed.isEmpty ? kind.options : needed).map(\.name)
    var options = configuration.options
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      let name = String(text.prefix { $0 != "=" })
      guard let known = kind.options.first(where: { $0.name == name }) else {
        throw OstiaryError.usage(
          LoginMessage.unknownOption(kind: kind.kind.rawValue, name: name, known: example))
      }
      guard parts.count == 2, parts[1] == parts[1].printable else {
        throw OstiaryError.usage(
          LoginMessage.badOptionValue(kind: kind.kind.rawValue, name: name, needed: example))
      }
      options[known.name] = known.isSecret ? try secret(parts[1], environment) : parts[1]
    }
    if let missing = needed.map(\.name).first(where: { options[$0] == nil }) {
      throw OstiaryError.usage(
        LoginMessage.missingOption(kind: kind.kind.rawValue, name: missing, needed: example))
    }
    return options
  }

  /// The value of a secret option. A file keeps it from the other users of the machine, who see the arguments of a command.
  private func secret(_ value: String, _ environment: CommandEnvironment) throws -> String {
    guard value.hasPrefix("@") else { return value }
    let path = String(value.dropFirst())
    let text = try OptionFile(path: path, environment: environment).text(orSay: .unreadable(path))
    guard !text.isEmpty, text == text.printable else { throw OstiaryError.usage(LoginMessage.noSecretInFile(path)) }
    return text
  }

  /// If a profile changed to another server or user, no command could reach its old session.
  private func refuseReplacing(
    _ previous: Profile?, by profile: Profile, _ folders: Folders, _ environment: CommandEnvironment
  ) async throws {
    guard let previous, previous.sessionKey != profile.sessionKey else { return }
    let session = try ProfileSession(
      previous, folders: folders, environment: environment, logger: logger(environment), timeout: timeout.given)
    let status = await session.manager.restore()
    await session.close()
    switch status {
    case .signedIn(let session):
      let name = previous.name(ofUser: session.user.id)
      throw OstiaryError(
        .alreadySignedIn,
        LoginMessage.profileSignedIn(profile: previous.name, place: previous.place, user: name))
    case .unknown(let error): throw error
    case .signedOut: return
    }
  }

  /// Asks the server before refusing: an ended session must not keep the user from signing in.
  /// - Returns: the session of a profile whose dialect's file has changed, which is what the user wants to say.
  private func refuseSecondSignIn(
    _ session: ProfileSession, _ previous: Profile?, _ environment: CommandEnvironment
  ) async throws -> Session? {
    guard case .signedIn(let stored) = await session.manager.restore() else { return nil }
    let status = try await environment.console.progress(SessionMessage.asking(place: session.profile.place)) {
      await session.manager.verify()
    }
    switch status {
    case .signedIn(let current):
      let key = APIKind.Key.digest
      if let previous, previous.options?[key] != session.profile.options?[key] { return current }
      let name = session.profile.name(ofUser: current.user.id)
      throw OstiaryError(.alreadySignedIn, LoginMessage.alreadySignedIn(user: name))
    case .unknown(let error):
      // It is kept until there is a new one.
      if error.isOfRefusedRenewal { return nil }
      guard await !isRefused(stored, session, environment) else { return nil }
      throw error
    case .signedOut: return nil
    }
  }

  /// Whether the server refuses to renew a session whose time is up, where it can't be asked about its tokens.
  private func isRefused(
    _ stored: Session, _ session: ProfileSession, _ environment: CommandEnvironment
  ) async -> Bool {
    guard let end = stored.expiresAt, end <= environment.clock.now else { return false }
    do {
      _ = try await session.manager.session()
      return false
    } catch {
      return (error as? OstiaryError)?.isOfRefusedRenewal == true
    }
  }
}
