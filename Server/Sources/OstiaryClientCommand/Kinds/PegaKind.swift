internal import Foundation
internal import OstiaryCore
internal import OstiaryPega

/// Pega Platform.
struct PegaKind: ServerKind {
  let kind = AuthenticatorKind.pega
  let summary = "Pega Platform"
  let methods = PegaSignInMethod.allCases.map(\.rawValue)
  let options = [
    KindOption(
      name: "activity",
      help: "what answers a sign-in: \(PegaLoginActivity.allCases.map(\.rawValue).joined(separator: ", "))",
      isPartOfAccount: false, isRequired: false)
  ]

  /// What its file says.
  private(set) var settings = PegaSettings()

  func configured(by file: URL) throws -> any ServerKind {
    var configured = self
    configured.settings = try PegaSettings(contentsOf: file)
    return configured
  }

  var configuration: KindConfiguration { KindConfiguration(server: settings.server) }

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    try profile.require(sameOriginAs: settings.server)
    let method = profile.method.map { PegaSignInMethod(rawValue: $0) } ?? settings.signIn
    guard let method else {
      throw OstiaryError.usage(
        LoginMessage.unknownMethod(kind: kind.rawValue, method: profile.method ?? "", known: methods))
    }
    let named = profile.options?["activity"]
    let activity = named.map { PegaLoginActivity(rawValue: $0) } ?? settings.loginActivity ?? .mobileAppConfiguration
    guard let activity else {
      throw OstiaryError.usage(
        KindMessage.unknownActivity(named ?? "", known: PegaLoginActivity.allCases.map(\.rawValue)))
    }
    return try PegaAuthenticator(
      server: profile.server, method: method, loginActivity: activity, configuration: settings.names)
  }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] {
    let login = PegaLogin(session, configuration: settings.names)
    return [
      // data: a label
      ("accessGroup", "Access group", login.accessGroup), ("operatorName", "Name", login.operatorName),
      ("applicationName", "Application", login.applicationName),
    ].compactMap { key, label, value in value.map { (key, label, $0) } }
  }
}
