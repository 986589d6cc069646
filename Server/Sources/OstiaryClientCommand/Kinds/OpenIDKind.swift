internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth

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

  let kind = AuthenticatorKind("oidc")
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
  ]

  private static let usualRedirectURI = "http://127.0.0.1/callback"
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
    let secret = try OAuthSignIn.secret(profile, environment)
    let client = try OAuthClient(
      id: option("client-id"),
      authentication: secret.map { ClientAuthentication.secretBasic($0) } ?? ClientAuthentication.none,
      issuer: option("issuer"), in: ServerDirectory(transport: transport, clock: environment.clock))
    var authenticator = try OAuthAuthenticator(server: profile.server, client: client)
    authenticator.kind = kind
    switch profile.method.flatMap(Method.init) {
    case .browser?:
      authenticator.flow = try OAuthSignIn.browser(
        profile, environment, scope: profile.options?["scope"] ?? Self.usualScope,
        usualRedirectURI: Self.usualRedirectURI)
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
}

/// No way to a server.
private struct NoTransport: Transport {
  func stream(_ request: TransportRequest) async throws -> StreamingResponse { throw Self.nowhere }
  func send(_ request: TransportRequest) async throws -> TransportResponse { throw Self.nowhere }

  private static let nowhere = OstiaryError(.internalError, "A kind of server sends no request.")  // data: never shown
}
