#if canImport(Darwin)
  /// Sends requests in the way that is right for the platform: through URLSession on Apple's, through AsyncHTTPClient on
  /// Linux. `PlatformTransport()` makes one on either.
  public typealias PlatformTransport = URLSessionTransport
#elseif AsyncHTTPClient
  /// Sends requests in the way that is right for the platform: through URLSession on Apple's, through AsyncHTTPClient on
  /// Linux. `PlatformTransport()` makes one on either.
  public typealias PlatformTransport = AsyncHTTPClientTransport
#endif
