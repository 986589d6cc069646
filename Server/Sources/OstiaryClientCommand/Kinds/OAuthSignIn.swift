internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth
internal import OstiaryPrivateFiles

/// How a person signs in to an OAuth server from the command, for the kinds of server that are one.
enum OAuthSignIn {
  /// In a browser on this machine, whose answer arrives on a loopback port.
  /// - Parameter usualRedirectURI: where the option says nothing.
  static func browser(
    _ profile: Profile, _ environment: CommandEnvironment, scope: String?, usualRedirectURI: String,
    parameters: OAuthParameters = [:]
  ) throws -> OAuthFlow {
    let redirectURI = try redirectURI(profile, usualRedirectURI)
    return .authorizationCode(
      in: agent(environment), redirectURI: redirectURI, scope: scope, parameters: hinted(parameters, profile))
  }

  /// The same once more, as an API demands it; `nil` where there is no person to ask.
  static func stepUp(
    _ profile: Profile, _ environment: CommandEnvironment, scope: String?, usualRedirectURI: String,
    parameters: OAuthParameters = [:]
  ) throws -> OAuthStepUp? {
    guard environment.terminal.isAvailable else { return nil }
    let redirectURI = try redirectURI(profile, usualRedirectURI)
    return OAuthStepUp.authorizationCode(
      in: agent(environment, before: KindMessage.strongerSignIn(place: profile.place)), redirectURI: redirectURI,
      scope: scope, parameters: hinted(parameters, profile))
  }

  private static func redirectURI(_ profile: Profile, _ usual: String) throws -> URL {
    guard let redirectURI = URL(string: profile.options?["redirect-uri"] ?? usual) else {
      throw OstiaryError.usage(KindMessage.noRedirectURI)
    }
    return redirectURI
  }

  /// - Parameter message: said before the page is shown.
  private static func agent(
    _ environment: CommandEnvironment, before message: KindMessage? = nil
  ) -> any UserAgent {
    let console = environment.console
    let agent = LoopbackUserAgent { page in
      if let message { console.note(message) }
      // The server's own page: a user without a browser here may open it on another machine.
      console.note(KindMessage.signInInBrowser(page: page.serverPage.absoluteString))
      // A user without a browser here opens the page by hand: this is not a failure yet.
      do { try await environment.browser(page.address) } catch let error as OstiaryError {
        console.note(KindMessage.browserProblem(error.message))
      }
    }
    return environment.trace?.userAgent(over: agent) ?? agent
  }

  private static func hinted(_ parameters: OAuthParameters, _ profile: Profile) -> OAuthParameters {
    var parameters = parameters
    if !profile.user.isEmpty, parameters["login_hint"] == nil { parameters.add("login_hint", profile.user) }
    return parameters
  }

  /// In a browser on another device.
  static func device(_ environment: CommandEnvironment, scope: String?) -> OAuthFlow {
    let console = environment.console
    return .device(scope: scope) { device in
      console.note(KindMessage.enterCode(page: device.verificationURI.absoluteString, code: device.userCode))
      if let complete = device.verificationURIComplete { show(complete, on: console) }
    }
  }

  /// Shows an address as a QR code, on a terminal that has the room and the characters for it.
  private static func show(_ address: URL, on console: Console) {
    guard console.error.isTerminal, console.writesUTF8, let code = QRCode(address.absoluteString),
      console.width(of: console.error) >= code.columns
    else { return }
    console.note(KindMessage.scan)
    // Black on white where there are colours; otherwise the letters are taken for light ones.
    let hasColors = console.colorsErrors
    console.note(code.lines(isInverse: !hasColors).map { Line($0, .picture).unbroken })
  }

  /// What a server gave a client that the command has registered; `nil` where there is no file.
  static func registration(in file: PrivateFile) throws -> OAuthRegistration? {
    guard let data = try file.read(limit: 1 << 20) else { return nil }
    do {
      return try JSONDecoder().decode(OAuthRegistration.self, from: data)
    } catch {
      throw OstiaryError.file(FileMessage.unreadable(file.url.path(percentEncoded: false)))
    }
  }

  /// The secret of the client, where the profile has a file with one.
  static func secret(_ profile: Profile, _ environment: CommandEnvironment) throws -> Secret? {
    guard let path = profile.options?["client-secret-file"] else { return nil }
    let secret = try OptionFile(path: path, environment: environment).text(
      orSay: .unreadableSecret(path, option: "client-secret-file"))
    guard !secret.isEmpty else { throw OstiaryError.usage(LoginMessage.noSecretInFile(path)) }
    return Secret(secret)
  }
}

extension OAuthSignIn {
  /// The ways to sign in for tokens that an API takes.
  enum Method: String, CaseIterable {
    /// In a browser on this machine, whose answer arrives on a loopback port.
    case browser
    /// In a browser on another device.
    case device
    /// As the client itself, without a person.
    case clientCredentials = "client-credentials"
  }

  static let usualRedirectURI = "http://127.0.0.1/callback"
  static let redirectOption = KindOption(
    name: "redirect-uri", help: "on this machine, as it is registered (\(OAuthSignIn.usualRedirectURI))",
    isPartOfAccount: false, isRequired: false)
  static let parametersOption = KindOption(
    name: "param", help: "further parameters of the server's page, as a form", isPartOfAccount: false,
    isRequired: false)
  static let dpopOption = KindOption(
    name: "dpop", help: "on: bind the tokens to a key of this profile's own", isPartOfAccount: false,
    isRequired: false)

  /// What the server said besides.
  static func highlights(of session: Session) -> [(key: String, label: String, value: String)] {
    [("name", "Name", session.user.displayName), ("scope", "Scope", TokenSet(session)?.scope)].compactMap {
      key, label, value in value.map { (key, label, $0) }
    }
  }

  /// The authenticator for the API of a profile.
  /// - Parameter usualScope: what tokens for a person are for, where the profile says nothing.
  static func authenticator(
    for profile: Profile, of kind: AuthenticatorKind, _ client: OAuthClient, usualScope: String?,
    _ environment: CommandEnvironment
  ) throws -> OAuthAuthenticator {
    var client = client
    switch profile.options?["dpop"] {
    case nil: break
    case "on": client.dpop = DPoP()
    default: throw OstiaryError.usage(KindMessage.onlyValue(option: "dpop", value: "on"))
    }
    var authenticator = try OAuthAuthenticator(server: profile.server, client: client)
    authenticator.kind = kind
    let scope = profile.options?["scope"]
    switch profile.method.flatMap(Method.init) {
    case .browser?:
      let pairs = FormEncoding.parse(profile.options?["param"] ?? "")
      let parameters = OAuthParameters(pairs.map { .init($0.name, $0.value) })
      authenticator.flow = try browser(
        profile, environment, scope: scope ?? usualScope, usualRedirectURI: usualRedirectURI, parameters: parameters)
      authenticator.stepUp = try stepUp(
        profile, environment, scope: scope ?? usualScope, usualRedirectURI: usualRedirectURI, parameters: parameters)
    case .device?:
      authenticator.flow = device(environment, scope: scope ?? usualScope)
    case .clientCredentials?:
      authenticator.flow = .clientCredentials(scope: scope)
      // The server has no user to tell of.
      authenticator.identity = .known(Session.User(id: client.id))
    case nil:
      throw OstiaryError.usage(
        LoginMessage.unknownMethod(
          kind: profile.kind.rawValue, method: profile.method ?? "", known: Method.allCases.map(\.rawValue)))
    }
    return authenticator
  }
}
