internal import OstiaryCore

/// The source of a command's password: what an option says, what the profile keeps of its sign-in, or the person at the
/// terminal.
struct CredentialPrompt: Sendable {
  private let profile: Profile
  private let environment: CommandEnvironment
  private let readsStandardInput: Bool
  /// Where the password comes from without a person: what the command's options say, or what the profile keeps.
  private let source: PasswordSource?
  /// Whether it is for a gateway in front of the command's server.
  private let isGateway: Bool

  /// The passwords of a profile and of the gateways in front of it, each from where its own profile says. A command's options
  /// are for the profile itself. No browser is opened by a command with another purpose.
  static func sources(
    for profile: Profile, environment: CommandEnvironment, options: PasswordOptions? = nil
  ) -> (Profile) -> CredentialSource {
    { layer in
      let kind = try? ServerKinds.kind(named: layer.kind.rawValue)
      guard kind?.takesPassword(layer) != false else { return .manual }
      let isGateway = layer.name != profile.name
      return CredentialPrompt(
        profile: layer, environment: environment, options: isGateway ? nil : options, isGateway: isGateway
      ).credentials
    }
  }

  init(profile: Profile, environment: CommandEnvironment, options: PasswordOptions? = nil, isGateway: Bool = false) {
    self.profile = profile
    self.environment = environment
    readsStandardInput = options?.passwordStdin == true
    source = options?.source(in: environment) ?? profile.passwordSource
    self.isGateway = isGateway
  }

  /// The password for a first sign-in.
  func password() async throws -> Secret {
    if readsStandardInput { return try environment.input.password() }
    if let source { return try await PasswordReader(profile: profile, environment: environment).read(from: source) }
    guard environment.terminal.isAvailable else {
      throw OstiaryError(
        .interactionRequired,
        isGateway
          ? PasswordMessage.noPersonToAskAtGateway(user: profile.user, place: profile.place, profile: profile.name)
          : PasswordMessage.noPersonToAsk(user: profile.user, place: profile.place))
    }
    let password = try await environment.terminal.askSecret(
      PasswordMessage.question(user: profile.user, place: profile.place))
    guard !password.isEmpty else {
      throw OstiaryError(.interactionCancelled, PasswordMessage.noneEntered)
    }
    return password
  }

  /// A source that is asked when a request needs a sign-in.
  var credentials: CredentialSource {
    .onRequest { request in
      if let error = request.previousError {
        // There is no second password there, and the first one again could lock the account.
        if readsStandardInput || source != nil { throw error }
        environment.console.note(["\(error.message)"])
      }
      return .password(username: profile.user, password: try await password())
    }
  }
}
