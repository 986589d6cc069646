internal import OstiaryCore
internal import OstiaryNewzulu

/// Newzulu Platform.
struct NewzuluKind: ServerKind {
  let kind = AuthenticatorKind.newzulu
  let summary = "Newzulu Platform"
  let methods: [String] = []
  let namesUsersByNumber = true
  let options = [
    KindOption(name: "vhost", help: "the tenant in which the account lives", isPartOfAccount: true),
    KindOption(name: "api-key", help: "the app's key", isPartOfAccount: false),
  ]

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    guard let vhost = profile.options?["vhost"], let key = profile.options?["api-key"] else {
      throw OstiaryError.usage("newzulu needs the options “vhost” and “api-key”.")
    }
    return try NewzuluAuthenticator(server: profile.server, apiKey: Secret(key), vhost: vhost)
  }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] {
    guard let user = NewzuluUser(session) else { return [] }
    return [
      ("username", "Username", user.username), ("name", "Name", user.displayName), ("email", "E-mail", user.email),
      ("vhost", "Tenant", session.attributes["vhost"]?.string),
    ].compactMap { key, label, value in value.map { (key, label, $0) } }
  }
}
