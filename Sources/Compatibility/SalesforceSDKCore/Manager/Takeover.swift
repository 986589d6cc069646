internal import Foundation
internal import Ostiary
internal import OstiaryOAuth
internal import OstiarySalesforce

/// How the credentials that an app has filled in become a session.
enum Takeover {
  /// The server is asked about the access token; a refresh token is used when it refuses it.
  case tokens(SalesforceTokens)
  /// The server gives an access token for the refresh token.
  case refresh(OAuthFlow, at: SalesforceLoginHost?)

  /// - Returns: `nil` for credentials with neither a refresh token nor an access token that could be used.
  init?(_ credentials: SFOAuthCredentials, clientID: String) {
    let refreshToken = credentials.refreshToken.map { Secret($0) }
    if let accessToken = credentials.accessToken, let instanceURL = credentials.instanceUrl,
      let tokens = SalesforceTokens(
        clientID: clientID, accessToken: Secret(accessToken), refreshToken: refreshToken, instanceURL: instanceURL,
        identityURL: credentials.identityUrl, communityURL: credentials.communityUrl,
        communityID: credentials.communityId)
    {
      self = .tokens(tokens)
      return
    }
    guard let refreshToken, !refreshToken.isEmpty else { return nil }
    // Whose the tokens are is the server's word alone.
    let flow = OAuthFlow(needsPerson: false) { client, context in
      var tokens = try await client.refresh(refreshToken, in: context)
      tokens.refreshToken = tokens.refreshToken ?? refreshToken
      return tokens
    }
    self = .refresh(flow, at: credentials.ownDomain.flatMap { SalesforceLoginHost($0) } ?? Self.host(credentials))
  }

  /// Where the identity URL says that the user logs in.
  private static func host(_ credentials: SFOAuthCredentials) -> SalesforceLoginHost? {
    guard let url = credentials.identityUrl, let origin = Origin(url) else { return nil }
    return SalesforceLoginHost(origin.description)
  }
}
