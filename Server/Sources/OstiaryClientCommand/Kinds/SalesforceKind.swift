internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth
internal import OstiaryPrivateFiles
internal import OstiarySalesforce

/// A Salesforce org.
struct SalesforceKind: ServerKind {
  /// The ways to sign in.
  private enum Method: String, CaseIterable {
    /// In a browser on this machine, whose answer arrives on a loopback port.
    case browser
    /// In a browser on another device.
    case device
    /// With user name and password, if the org still allows it.
    case password
  }

  let kind = AuthenticatorKind.salesforce
  let summary = "Salesforce; --server is where users log in"
  let methods = Method.allCases.map(\.rawValue)
  let namesUsersByNumber = true
  let isServedElsewhere = true
  let options = [
    KindOption(name: "client-id", help: "the connected app's consumer key", isPartOfAccount: true),
    KindOption(
      name: "client-secret-file", help: "a file with the connected app's secret, where it has one",
      isPartOfAccount: false, isRequired: false),
    KindOption(
      name: "redirect-uri", help: "on this machine, as it is registered (\(SalesforceKind.usualRedirectURI))",
      isPartOfAccount: false, isRequired: false),
    KindOption(
      name: "scope", help: "what the token is for (\(SalesforceKind.usualScope))", isPartOfAccount: false,
      isRequired: false),
  ]

  /// The redirect URI of Salesforce's own command.
  private static let usualRedirectURI = "http://localhost:1717/OauthRedirect"
  private static let usualScope = "id api refresh_token"  // data: scopes

  var usualServer: URL? { SalesforceLoginHost.production.url }

  func takesPassword(_ profile: Profile) -> Bool { profile.method == Method.password.rawValue }

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    guard let host = SalesforceLoginHost(profile.server) else {
      throw OstiaryError.usage(KindMessage.noLoginHost(profile.server.absoluteString))
    }
    guard let clientID = profile.options?["client-id"] else {
      throw OstiaryError.usage(
        LoginMessage.missingOption(kind: kind.rawValue, name: "client-id", needed: ["client-id"]))
    }
    let secret = try OAuthSignIn.secret(profile, environment)
    var authenticator = try SalesforceAuthenticator(
      host: host, clientID: clientID,
      authentication: secret.map { ClientAuthentication.secretPost($0) } ?? ClientAuthentication.none,
      flow: try Self.flow(profile, environment))
    if takesPassword(profile) { authenticator.passwords = .insecureUsernamePassword(securityToken: nil) }
    return authenticator
  }

  func server(of session: Session) -> URL? { SalesforceTokens(session)?.apiURL }

  func accessToken(of session: Session) -> Secret? { SalesforceTokens(session)?.accessToken }

  func requests(through manager: SessionManager) -> any Transport { SalesforceConnection(manager).transport }

  func username(of session: Session, through manager: SessionManager) async -> String? {
    if let name = session.user.displayName { return name }
    // The answer with the tokens has only the user's id. A missing name is no reason to fail.
    guard let tokens = SalesforceTokens(session) else { return nil }
    let context = AuthenticationContext(transport: manager.transport)
    return try? await SalesforceIdentityService.document(for: tokens, in: context).username
  }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] {
    let tokens = SalesforceTokens(session)
    let identity = SalesforceUserIdentity(session.user)
    return [
      ("username", "Username", session.user.displayName), ("instance", "Instance", tokens?.instanceURL.absoluteString),
      ("community", "Community", tokens?.communityURL?.absoluteString), ("org", "Org", identity?.orgID.id18),
      ("user", "User", identity?.userID.id18),
    ].compactMap { key, label, value in value.map { (key, label, $0) } }
  }

  // MARK: Inside

  private static func flow(_ profile: Profile, _ environment: CommandEnvironment) throws -> OAuthFlow? {
    let scope = profile.options?["scope"] ?? usualScope
    switch profile.method.flatMap(Method.init) {
    case .browser?:
      return try OAuthSignIn.browser(profile, environment, scope: scope, usualRedirectURI: usualRedirectURI)
    case .device?: return OAuthSignIn.device(environment, scope: scope)
    case .password?: return nil
    case nil:
      throw OstiaryError.usage(
        LoginMessage.unknownMethod(
          kind: profile.kind.rawValue, method: profile.method ?? "", known: Method.allCases.map(\.rawValue)))
    }
  }
}
