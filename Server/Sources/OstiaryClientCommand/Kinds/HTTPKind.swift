internal import OstiaryCore
internal import OstiaryGateway

/// A server or proxy with HTTP authentication: Basic or Digest.
struct HTTPKind: ServerKind {
  let kind = AuthenticatorKind.http
  let summary = "a server or proxy that asks for Basic or Digest"
  let methods: [String] = []
  let options = [KindOption.insecureHTTP]

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    var configuration = HTTPAuthenticationConfiguration()
    configuration.insecurelySendsSecretsOverHTTP = try profile.allowsInsecureHTTP(
      to: Origin(profile.server).map { [$0] } ?? [])
    return try HTTPAuthentication(server: profile.server, configuration: configuration)
  }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] { [] }
}
