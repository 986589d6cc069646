internal import Foundation
public import OstiaryCore
internal import OstiaryJOSE
public import OstiaryOAuth

extension OAuthFlow {
  /// The app vouches for a user with a JWT that it signs with the key whose certificate the connected app has (RFC 7523,
  /// RS256). It takes no person, so it also renews: no refresh token is given. Its expiry is told by the server's clock.
  /// - Parameters:
  ///   - username: the user, who or whose administrator has approved the connected app.
  ///   - privateKeyPEM: the RSA key in PEM.
  ///   - host: where the user would sign in; the assertion is for it alone.
  public static func salesforceAssertion(
    username: String, privateKeyPEM: Secret, host: SalesforceLoginHost
  ) -> OAuthFlow {
    OAuthFlow(needsPerson: false) { client, context in
      var tokens = try await client.tokens(in: context) { now in
        try SalesforceAssertion.sign(
          SalesforceAssertion.claims(clientID: client.id, username: username, host: host, now: now),
          privateKeyPEM: privateKeyPEM)
      }
      // No answer names the user, and the next assertion has to.
      tokens.members[Session.salesforceUsernameAttribute] = .string(username)
      return tokens
    }
  }
}

/// A signed statement for Salesforce's token endpoint.
enum SalesforceAssertion {
  /// Salesforce takes assertions that end within some minutes.
  static let lifetime: TimeInterval = 180

  static func claims(
    clientID: String, username: String, host: SalesforceLoginHost, now: Date
  ) -> [String: JSONValue] {
    [
      "iss": .string(clientID), "sub": .string(username), "aud": .string(host.url.absoluteString),
      "exp": .integer(Int64(now.timeIntervalSince1970 + lifetime)),
    ]
  }

  static func sign(_ claims: [String: JSONValue], privateKeyPEM: Secret) throws -> Secret {
    do {
      return try SigningKey(pem: privateKeyPEM, algorithm: .rs256).sign(claims)
    } catch {
      throw OstiaryError(
        .invalidInput, "The private key can't be used for signing.",
        advice: "Give an RSA key of 2048 bits or more in PEM.",
        requestMayHaveExecuted: false)
    }
  }
}

extension Session {
  /// The session attribute with the name that the user signs in with, where the session did not begin with it.
  static let salesforceUsernameAttribute = "username"

  /// The name that the user signs in with.
  var salesforceUsername: String? {
    user.displayName ?? attributes[Self.salesforceUsernameAttribute]?.string
  }
}
