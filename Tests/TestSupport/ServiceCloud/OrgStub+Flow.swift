import OstiaryCore
package import OstiaryOAuth

extension OrgStub {
  /// A browser's visit at whose end the app has `tokens`, a token answer of ``tokens(of:refreshable:)``.
  package static func flow(_ tokens: [String: String]) -> OAuthFlow {
    OAuthFlow(needsPerson: true) { _, _ in
      var members = tokens.mapValues { JSONValue.string($0) }
      members["access_token"] = nil
      members["refresh_token"] = nil
      return TokenSet(
        accessToken: Secret(tokens["access_token"] ?? ""), refreshToken: tokens["refresh_token"].map { Secret($0) },
        members: members)
    }
  }
}
