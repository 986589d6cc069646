package import Foundation
package import OstiaryOAuth

extension Worker {
  /// What knows an API whose tokens are bound to a key.
  /// - Parameters:
  ///   - tokens: where they are renewed.
  ///   - page: where a user signs in; `nil` for a process that never asks one.
  ///   - flow: how the first tokens are got.
  package static func boundAuthenticator(
    server: URL, tokens: URL, page: URL? = nil, flow: OAuthFlow? = nil
  ) throws -> OAuthAuthenticator {
    var client = try OAuthClient(id: "app", endpoints: OAuthEndpoints(token: tokens, authorization: page))
    client.dpop = DPoP()
    return try OAuthAuthenticator(server: server, client: client, flow: flow)
  }
}
