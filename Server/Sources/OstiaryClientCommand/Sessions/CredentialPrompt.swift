internal import OstiaryCore

/// The source of a command's password: standard input if an option says so, otherwise the person at the terminal.
struct CredentialPrompt: Sendable {
  let profile: Profile
  let environment: CommandEnvironment
  let readsStandardInput: Bool
  /// Whether it is for a gateway in front of the command's server.
  var isGateway = false

  /// The passwords of a profile and of the gateways in front of it. Standard input has the profile's own. No browser is
  /// opened by a command with another purpose.
  static func sources(
    for profile: Profile, environment: CommandEnvironment, readsStandardInput: Bool
  ) -> (Profile) -> CredentialSource {
    { layer in
      let kind = try? ServerKinds.kind(named: layer.kind.rawValue)
      guard kind?.takesPassword(layer) != false else { return .manual }
      return CredentialPrompt(
        profile: layer, environment: environment, readsStandardInput: readsStandardInput && layer.name == profile.name,
        isGateway: layer.name != profile.name
      ).source
    }
  }

  /// The password for a first sign-in.
  func password() async throws -> Secret {
    if readsStandardInput { return try environment.input.password() }
    guard environment.terminal.isAvailable else {
      throw OstiaryError(
        .interactionRequired,
        "A password is needed for \(profile.user) at \(profile.place), and there is no terminal to ask on.",
        advice:
          "Pipe it in with --password-stdin\(isGateway ? " when signing in with the profile \(profile.name)" : "").",
        requestMayHaveExecuted: false)
    }
    let password = try await environment.terminal.askSecret("Password for \(profile.user) at \(profile.place): ")
    guard !password.isEmpty else {
      throw OstiaryError(.interactionCancelled, "No password was entered.", requestMayHaveExecuted: false)
    }
    return password
  }

  /// A source that is asked when a request needs a sign-in.
  var source: CredentialSource {
    .onRequest { request in
      if let error = request.previousError {
        // Standard input has no second password, and without a terminal the answer would be the same again.
        if readsStandardInput { throw error }
        environment.console.note("\(error.message)")
      }
      return .password(username: profile.user, password: try await password())
    }
  }
}
