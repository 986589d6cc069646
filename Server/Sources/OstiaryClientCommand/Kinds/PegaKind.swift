internal import OstiaryCore
internal import OstiaryPega

/// Pega Platform.
struct PegaKind: ServerKind {
  let kind = AuthenticatorKind.pega
  let summary = "Pega Platform"
  let methods = PegaSignInMethod.allCases.map(\.rawValue)

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    let method = profile.method.map { PegaSignInMethod(rawValue: $0) } ?? .basic
    guard let method else { throw OstiaryError.usage("pega knows no method “\(profile.method ?? "")”.") }
    return try PegaAuthenticator(server: profile.server, method: method)
  }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] {
    [("Access group", "accessGroup"), ("Name", "operatorName"), ("Application", "applicationName")]
      .compactMap { label, key in
        guard case .string(let value)? = session.attributes[key] else { return nil }
        return (key, label, value)
      }
  }
}
