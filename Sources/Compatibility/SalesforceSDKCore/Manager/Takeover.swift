internal import Foundation
internal import Ostiary
internal import OstiarySalesforce

/// How the credentials that an app has filled in become a session.
enum Takeover {
  /// The server is asked about the access token; a refresh token is used when it refuses it.
  case tokens(SalesforceTokens)
  /// The server gives an access token for the refresh token.
  case refresh(Secret, at: SalesforceLoginHost?)

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
    self = .refresh(
      refreshToken, at: credentials.ownDomain.flatMap { SalesforceLoginHost($0) } ?? Self.host(credentials))
  }

  /// Where the identity URL says that the user logs in.
  private static func host(_ credentials: SFOAuthCredentials) -> SalesforceLoginHost? {
    guard let url = credentials.identityUrl, let origin = Origin(url) else { return nil }
    return SalesforceLoginHost(origin.description)
  }
}
