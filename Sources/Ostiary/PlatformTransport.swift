#if canImport(Darwin)
  /// The transport that suits the platform: URLSession on Apple platforms, AsyncHTTPClient on Linux.
  public typealias PlatformTransport = URLSessionTransport
#elseif AsyncHTTPClient
  /// The transport that suits the platform: URLSession on Apple platforms, AsyncHTTPClient on Linux.
  ///
  /// On Linux without the `AsyncHTTPClient` trait there is none, because Foundation's URLSession is not fit for signing in
  /// there: give the session manager a transport of your own.
  public typealias PlatformTransport = AsyncHTTPClientTransport
#endif
