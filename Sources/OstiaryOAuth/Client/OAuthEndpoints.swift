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
  /// The server's issuer identifier; with one, a callback that names another is refused (RFC 9207 §2.4).
  public var issuer: String?

  /// Makes a list of endpoints.
  public init(
    token: URL, authorization: URL? = nil, deviceAuthorization: URL? = nil, revocation: URL? = nil,
    introspection: URL? = nil, userInfo: URL? = nil, issuer: String? = nil
  ) {
    self.token = token
    self.authorization = authorization
    self.deviceAuthorization = deviceAuthorization
    self.revocation = revocation
    self.introspection = introspection
    self.userInfo = userInfo
    self.issuer = issuer
  }

  var all: [URL] { [token, authorization, deviceAuthorization, revocation, introspection, userInfo].compactMap { $0 } }
}
