internal import Foundation
internal import OstiaryCore
internal import OstiaryJOSE

/// What a provider tells its clients' servers of users who have logged out.
extension ProviderState {
  /// Ends a user's sign-ins to a client.
  /// - Returns: a logout token for each (OpenID Connect Back-Channel Logout 1.0 §2.4).
  mutating func logOut(_ user: String, of client: String, _ now: Date) throws -> [Secret] {
    signedIn[user] = nil
    let ended = grants.values.filter { $0.user?.id == user && $0.client == client }.sorted { $0.id < $1.id }
    var tokens: [Secret] = []
    for grant in ended {
      end(grant.id)
      let issuedAt = Int64(now.timeIntervalSince1970)
      let claims: [String: JSONValue] = [
        "iss": .string(settings.issuer), "aud": .string(client), "sub": .string(user), "sid": .string(grant.session),
        "iat": .integer(issuedAt), "exp": .integer(issuedAt + 120), "jti": .string(name("logout")),
        "events": .object(["http://schemas.openid.net/event/backchannel-logout": .object([:])]),
      ]
      tokens.append(try keys.current.sign(claims, type: "logout+jwt"))
    }
    return tokens
  }
}
