/// What a token is, as hints to a server name it (RFC 7009 §2.1). An open set.
public struct TokenKind: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An access token: what requests carry.
  public static let accessToken = TokenKind(rawValue: "access_token")
  /// A refresh token: what newer tokens are given for.
  public static let refreshToken = TokenKind(rawValue: "refresh_token")
}
