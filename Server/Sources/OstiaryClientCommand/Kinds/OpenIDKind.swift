internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth
internal import OstiaryPrivateFiles

/// An API that takes tokens of an OpenID Connect or OAuth server, which is found by its issuer.
struct OpenIDKind: ServerKind {
  /// The ways to sign in.
  private enum Method: String, CaseIterable {
    /// In a browser on this machine, whose answer arrives on a loopback port.
    case browser
    /// In a browser on another device.
    case device
    /// As the client itself, without a person.
    case clientCredentials = "client-credentials"
  }

  static let name = "oidc"
  let kind = AuthenticatorKind(OpenIDKind.name)
  let summary = "an API with tokens of an OpenID Connect server; --server is the API"
  let methods = Method.allCases.map(\.rawValue)
  let options = [
    KindOption(name: "issuer", help: "the OpenID Connect server, as it names itself", isPartOfAccount: true),
    KindOption(name: "client-id", help: "the client, as the server knows it", isPartOfAccount: true),
    KindOption(
      name: "client-secret-file", help: "a file with the client's secret, where it has one", isPartOfAccount: false,
      isRequired: false),
    KindOption(
      name: "redirect-uri", help: "on this machine, as it is registered (\(OpenIDKind.usualRedirectURI))",
      isPartOfAccount: false, isRequired: false),
    KindOption(
      name: "scope", help: "what the token is for (with a person: \(OpenIDKind.usualScope))", isPartOfAccount: false,
      isRequired: false),
    KindOption(
      name: "param", help: "further parameters of the server's page, as a form", isPartOfAccount: false,
      isRequired: false),
    KindOption(
      name: "dpop", help: "on: bind the tokens to a key of this profile's own", isPartOfAccount: false,
      isRequired: false),
    KindOption(
      name: "registration-file", help: "what the server registered, from --register", isPartOfAccount: false,
      isRequired: false),
  ]

  static let deviceMethod = Method.device.rawValue
  static let ownMethod = Method.clientCredentials.rawValue
  static let usualRedirectURI = "http://127.0.0.1/callback"
  private static let usualScope = "openid offline_access"  // data: scopes

  func takesPassword(_ profile: Profile) -> Bool { false }

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    // For callers that only look at the profile.
    try authenticator(for: profile, in: environment, over: NoTransport())
  }

  func authenticator(
    for profile: Profile, in environment: CommandEnvironment, over transport: any Transport
  ) throws -> any Authenticator {
    func option(_ name: String) throws -> String {
      guard let value = profile.options?[name] else {
        throw OstiaryError.usage(
          LoginMessage.missingOption(kind: kind.rawValue, name: name, needed: ["issuer", "client-id"]))
      }
      return value
    }
    var client = try OAuthClient(
      id: option("client-id"), authentication: Self.authentication(profile, environment),
      issuer: option("issuer"), in: ServerDirectory(transport: transport, clock: environment.clock))
    switch profile.options?["dpop"] {
    case nil: break
    case "on": client.dpop = DPoP()
    default: throw OstiaryError.usage(KindMessage.onlyValue(option: "dpop", value: "on"))
    }
    var authenticator = try OAuthAuthenticator(server: profile.server, client: client)
    authenticator.kind = kind
    switch profile.method.flatMap(Method.init) {
    case .browser?:
      let scope = profile.options?["scope"] ?? Self.usualScope
      let parameters = Self.parameters(profile)
      authenticator.flow = try OAuthSignIn.browser(
        profile, environment, scope: scope, usualRedirectURI: Self.usualRedirectURI, parameters: parameters)
      authenticator.stepUp = try OAuthSignIn.stepUp(
        profile, environment, scope: scope, usualRedirectURI: Self.usualRedirectURI, parameters: parameters)
    case .device?:
      authenticator.flow = OAuthSignIn.device(environment, scope: profile.options?["scope"] ?? Self.usualScope)
    case .clientCredentials?:
      authenticator.flow = .clientCredentials(scope: profile.options?["scope"])
      // The server has no user to tell of.
      authenticator.identity = .known(Session.User(id: client.id))
    case nil:
      throw OstiaryError.usage(
        LoginMessage.unknownMethod(
          kind: profile.kind.rawValue, method: profile.method ?? "", known: Method.allCases.map(\.rawValue)))
    }
    return authenticator
  }

  func accessToken(of session: Session) -> Secret? { TokenSet(session)?.accessToken }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] {
    guard let scope = TokenSet(session)?.scope else { return [] }
    return [("scope", "Scope", scope)]
  }

  /// As the profile says, or as the server said when it registered the client.
  private static func authentication(
    _ profile: Profile, _ environment: CommandEnvironment
  ) throws -> ClientAuthentication {
    if let secret = try OAuthSignIn.secret(profile, environment) { return .secretBasic(secret) }
    guard let path = profile.options?["registration-file"] else { return ClientAuthentication.none }
    let file = PrivateFile(url: environment.url(path: path))
    // A secret of another client would be a refusal at the server that does not say why.
    guard let registration = try OAuthSignIn.registration(in: file), let own = registration.authentication,
      registration.clientID == profile.options?["client-id"]
    else {
      throw OstiaryError.file(FileMessage.unreadable(path))
    }
    return own
  }

  /// The further parameters of the server's page.
  private static func parameters(_ profile: Profile) -> OAuthParameters {
    OAuthParameters(FormEncoding.parse(profile.options?["param"] ?? "").map { .init($0.name, $0.value) })
  }
}

/// No way to a server.
private struct NoTransport: Transport {
  func stream(_ request: TransportRequest) async throws -> StreamingResponse { throw Self.nowhere }
  func send(_ request: TransportRequest) async throws -> TransportResponse { throw Self.nowhere }

  private static let nowhere = OstiaryError(.internalError, "A kind of server sends no request.")  // data: never shown
}
