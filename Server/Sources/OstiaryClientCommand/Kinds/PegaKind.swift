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

  func configuration(in file: URL) throws -> KindConfiguration {
    KindConfiguration(server: try PegaSettings(contentsOf: file).server)
  }

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    let settings = try settings(of: profile)
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

  func highlights(of session: Session, with profile: Profile) -> [(key: String, label: String, value: String)] {
    guard let names = try? settings(of: profile).names else { return [] }
    let login = PegaLogin(session, configuration: names)
    return [
      // data: a label
      ("accessGroup", "Access group", login.accessGroup), ("operatorName", "Name", login.operatorName),
      ("applicationName", "Application", login.applicationName),
    ].compactMap { key, label, value in value.map { (key, label, $0) } }
  }

  /// What the profile's configuration file says.
  func settings(of profile: Profile) throws -> PegaSettings {
    try profile.configurationURL.map { try PegaSettings(contentsOf: $0) } ?? PegaSettings()
  }
}
