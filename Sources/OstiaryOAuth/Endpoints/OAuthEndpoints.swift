public import Foundation

/// Where an authorization server does what (RFC 8414 §2 names them so). What is `nil` is not used.
public struct OAuthEndpoints: Sendable, Hashable {
  /// The page on which a user authorizes the client (RFC 6749 §3.1).
  public var authorization: URL?
  /// Where grants become tokens (RFC 6749 §3.2).
  public var token: URL
  /// Where devices get their codes (RFC 8628 §3.1).
  public var deviceAuthorization: URL?
  /// Where tokens are revoked (RFC 7009 §2).
  public var revocation: URL?
  /// Where tokens are looked at (RFC 7662 §2).
  public var introspection: URL?
  /// Where a token's user is told (OpenID Connect Core §5.3).
  public var userInfo: URL?
  /// Where authorization requests are handed in before a browser goes there (RFC 9126 §2).
  public var pushedAuthorization: URL?
  /// The page on which a user's session at the server ends (OpenID Connect RP-Initiated Logout §2).
  public var endSession: URL?
  /// The document with the keys that the server signs with (`jwks_uri`, RFC 8414 §2).
  public var keys: URL?
  /// Where clients are registered (RFC 7591 §3).
  public var registration: URL?
  /// The server's issuer identifier; with one, a callback that names another is refused (RFC 9207 §2.4).
  public var issuer: String?

  /// Makes a list of endpoints.
  public init(
    token: URL, authorization: URL? = nil, deviceAuthorization: URL? = nil, revocation: URL? = nil,
    introspection: URL? = nil, userInfo: URL? = nil, pushedAuthorization: URL? = nil, endSession: URL? = nil,
    keys: URL? = nil, registration: URL? = nil, issuer: String? = nil
  ) {
    self.token = token
    self.authorization = authorization
    self.deviceAuthorization = deviceAuthorization
    self.revocation = revocation
    self.introspection = introspection
    self.userInfo = userInfo
    self.pushedAuthorization = pushedAuthorization
    self.endSession = endSession
    self.keys = keys
    self.registration = registration
    self.issuer = issuer
  }

  var all: [URL] {
    [
      token, authorization, deviceAuthorization, revocation, introspection, userInfo, pushedAuthorization, endSession,
      keys,
      registration,
    ].compactMap { $0 }
  }
}
