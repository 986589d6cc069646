internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth
internal import OstiaryPrivateFiles

/// An API that takes tokens of an OpenID Connect or OAuth server, which is found by its issuer.
struct OpenIDKind: ServerKind {
  static let name = "oidc"
  let kind = AuthenticatorKind(OpenIDKind.name)
  let summary = "an API with tokens of an OpenID Connect server; --server is the API"
  let methods = OAuthSignIn.Method.allCases.map(\.rawValue)
  let options = [
    KindOption(name: "issuer", help: "the OpenID Connect server, as it names itself", isPartOfAccount: true),
    KindOption(name: "client-id", help: "the client, as the server knows it", isPartOfAccount: true),
    KindOption(
      name: "client-secret-file", help: "a file with the client's secret, where it has one", isPartOfAccount: false,
      isRequired: false),
    OAuthSignIn.redirectOption,
    KindOption(
      name: "scope", help: "what the token is for (with a person: \(OpenIDKind.usualScope))", isPartOfAccount: false,
      isRequired: false),
    OAuthSignIn.parametersOption,
    OAuthSignIn.dpopOption,
    KindOption(
      name: "registration-file", help: "what the server registered, from --register", isPartOfAccount: false,
      isRequired: false),
  ]

  static let deviceMethod = OAuthSignIn.Method.device.rawValue
  static let ownMethod = OAuthSignIn.Method.clientCredentials.rawValue
  static let usualRedirectURI = OAuthSignIn.usualRedirectURI
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
    let client = try OAuthClient(
      id: option("client-id"), authentication: Self.authentication(profile, environment),
      issuer: option("issuer"), in: ServerDirectory(transport: transport, clock: environment.clock))
    return try OAuthSignIn.authenticator(for: profile, of: kind, client, usualScope: Self.usualScope, environment)
  }

  func accessToken(of session: Session) -> Secret? { TokenSet(session)?.accessToken }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] {
    OAuthSignIn.highlights(of: session)
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
}

/// No way to a server.
private struct NoTransport: Transport {
  func stream(_ request: TransportRequest) async throws -> StreamingResponse { throw Self.nowhere }
  func send(_ request: TransportRequest) async throws -> TransportResponse { throw Self.nowhere }

  private static let nowhere = OstiaryError(.internalError, "A kind of server sends no request.")  // data: never shown
}
