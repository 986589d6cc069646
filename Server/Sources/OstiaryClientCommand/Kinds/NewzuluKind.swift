internal import Foundation
internal import OstiaryCore
internal import OstiaryNewzulu

/// Newzulu Platform.
struct NewzuluKind: ServerKind {
  let kind = AuthenticatorKind.newzulu
  let summary = "Newzulu Platform"
  let methods: [String] = []
  let namesUsersByNumber = true
  let isSessionInBody = true
  let options = [
    KindOption(name: "vhost", help: "the tenant in which the account lives", isPartOfAccount: true),
    KindOption(
      name: "api-key", help: "the app's key; @FILE reads it from a file", isPartOfAccount: false, isSecret: true),
  ]

  /// What its file says.
  private(set) var platform = NewzuluPlatformConfiguration()

  func configured(by file: URL) throws -> any ServerKind {
    var configured = self
    configured.platform = try NewzuluPlatformConfiguration(contentsOf: file)
    return configured
  }

  var configuration: KindConfiguration {
    var configuration = KindConfiguration(server: platform.server)
    if let vhost = platform.vhost {
      configuration.options["vhost"] = vhost
      configuration.optionsInFile.insert("vhost")
    }
    if platform.apiKey != nil { configuration.optionsInFile.insert("api-key") }
    return configuration
  }

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    try profile.require(sameOriginAs: platform.server)
    guard let vhost = profile.options?["vhost"] ?? platform.vhost,
      let key = profile.options?["api-key"].map({ Secret($0) }) ?? platform.apiKey
    else {
      throw OstiaryError.usage(KindMessage.newzuluNeedsKeyAndTenant)
    }
    return try NewzuluAuthenticator(server: profile.server, apiKey: key, vhost: vhost, configuration: platform.names)
  }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] {
    guard let user = NewzuluUser(session, configuration: platform.names) else { return [] }
    return [
      ("username", "Username", user.username), ("name", "Name", user.displayName), ("email", "E-mail", user.email),
      ("vhost", "Tenant", session.attributes["vhost"]?.string),
    ].compactMap { key, label, value in value.map { (key, label, $0) } }
  }
}
