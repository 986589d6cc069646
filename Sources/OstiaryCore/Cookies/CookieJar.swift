/// One session's cookies (RFC 6265bis).
public struct CookieJar: Sendable, Codable, Equatable {
  /// Makes an empty jar.
  public init() {}

  /// How many cookies there are.
  public var count: Int { 0 }
}
