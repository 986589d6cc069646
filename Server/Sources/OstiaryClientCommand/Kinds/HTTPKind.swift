internal import OstiaryCore
internal import OstiaryGateway

/// A server or proxy with HTTP authentication: Basic or Digest.
struct HTTPKind: ServerKind {
  let kind = AuthenticatorKind.http
  let summary = "a server or proxy that asks for Basic or Digest"
  let methods: [String] = []
  let options = [
    KindOption(
      name: "check", help: "an address or path that needs the password, to try it at", isPartOfAccount: false,
      isRequired: false),
    KindOption(
      name: "preemptive", help: "basic: send Basic unasked, to a server that never asks for it",
      isPartOfAccount: false, isRequired: false),
    .insecureHTTP,
  ]

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    var configuration = HTTPAuthenticationConfiguration()
    switch profile.options?["preemptive"] {
    case nil: break
    case "basic": configuration.sendsBasicUnasked = true
    default: throw OstiaryError.usage(KindMessage.onlyValue(option: "preemptive", value: "basic"))
    }
    configuration.checkURL = try profile.options?["check"].map { try profile.address($0, option: "check") }
    configuration.insecurelySendsSecretsOverHTTP = try profile.allowsInsecureHTTP(
      to: Origin(profile.server).map { [$0] } ?? [])
    return try HTTPAuthentication(server: profile.server, configuration: configuration)
  }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] { [] }
}
