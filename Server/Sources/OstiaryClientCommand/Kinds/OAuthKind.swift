internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth

/// An API that takes tokens of an OAuth server which says nothing of itself: its addresses are the profile's.
struct OAuthKind: ServerKind {
  static let name = "oauth"
  let kind = AuthenticatorKind(OAuthKind.name)
  let summary = "an API with tokens of an OAuth server without metadata; --server is the API"
  let methods = OAuthSignIn.Method.allCases.map(\.rawValue)
  let options = [
    KindOption(name: "token-url", help: "where the server gives tokens", isPartOfAccount: true),
    KindOption(name: "client-id", help: "the client, as the server knows it", isPartOfAccount: true),
    KindOption(
      name: "authorize-url", help: "the server's page for a browser here", isPartOfAccount: false, isRequired: false),
    KindOption(
      name: "device-url", help: "where another device gets its code", isPartOfAccount: false, isRequired: false),
    KindOption(name: "revoke-url", help: "where tokens are ended", isPartOfAccount: false, isRequired: false),
    KindOption(
      name: "introspect-url", help: "where tokens can be asked about", isPartOfAccount: false, isRequired: false),
    KindOption(name: "userinfo-url", help: "where the user's name is", isPartOfAccount: false, isRequired: false),
    KindOption(
      name: "client-secret-file", help: "a file with the client's secret, where it has one", isPartOfAccount: false,
      isRequired: false),
    OAuthSignIn.redirectOption,
    KindOption(name: "scope", help: "what the token is for", isPartOfAccount: false, isRequired: false),
    OAuthSignIn.parametersOption,
    OAuthSignIn.dpopOption,
  ]

  func takesPassword(_ profile: Profile) -> Bool { false }

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    // An address, or a path where the API is.
    func endpoint(_ name: String) throws -> URL? {
      try profile.options?[name].map { try profile.address($0, option: name) }
    }
    guard let id = profile.options?["client-id"], let token = try endpoint("token-url") else {
      let name = profile.options?["client-id"] == nil ? "client-id" : "token-url"
      throw OstiaryError.usage(
        LoginMessage.missingOption(kind: kind.rawValue, name: name, needed: ["token-url", "client-id"]))
    }
    let endpoints = OAuthEndpoints(
      token: token, authorization: try endpoint("authorize-url"), deviceAuthorization: try endpoint("device-url"),
      revocation: try endpoint("revoke-url"), introspection: try endpoint("introspect-url"),
      userInfo: try endpoint("userinfo-url"))
    let secret = try OAuthSignIn.secret(profile, environment)
    let client = try OAuthClient(
      id: id, authentication: secret.map { ClientAuthentication.secretBasic($0) } ?? ClientAuthentication.none,
      endpoints: endpoints)
    return try OAuthSignIn.authenticator(for: profile, of: kind, client, usualScope: nil, environment)
  }

  func accessToken(of session: Session) -> Secret? { TokenSet(session)?.accessToken }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] {
    OAuthSignIn.highlights(of: session)
  }
}
