internal import Foundation
internal import OstiaryCore
internal import OstiaryGateway

/// A gateway with a login form, in front of another server.
struct GatewayKind: ServerKind {
  let kind = AuthenticatorKind.gateway
  let summary = "a gateway with a login form; --server is an address behind it"
  let methods: [String] = []
  let options = [
    KindOption(
      name: "login", help: "the login page's address, where the gateway redirects to it", isPartOfAccount: false,
      isRequired: false),
    KindOption(
      name: "logout", help: "the address that ends the session (/pkmslogout)", isPartOfAccount: false,
      isRequired: false),
    KindOption(
      name: "logout-form", help: "the same, where that address shows a form", isPartOfAccount: false,
      isRequired: false),
    .insecureHTTP,
  ]

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    let elsewhere = try profile.options?["login"].map { try profile.address($0, option: "login") }
    var login = try FormLogin("gateway", at: profile.server)
    if let origin = elsewhere.flatMap({ Origin($0) }) { login.origins.append(origin) }
    if let elsewhere {
      login.loginPage = elsewhere
      login.recogniser = .any(of: [login.recogniser, .redirect(to: elsewhere)])
    }
    login.allowingInsecureHTTPForPasswords = try profile.allowsInsecureHTTP(to: login.origins)
    var authenticator = try GatewayAuthenticator(server: profile.server, handlers: [login])
    if let address = profile.options?["logout"] {
      authenticator.logout = .visit(try profile.address(address, option: "logout"))
    } else if let address = profile.options?["logout-form"] {
      authenticator.logout = .submitForm(at: try profile.address(address, option: "logout-form"))
    }
    return authenticator
  }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] { [] }
}
