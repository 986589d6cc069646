@_exported public import OstiaryCore

#if canImport(Darwin)
  @_exported public import OstiaryURLSession
#elseif AsyncHTTPClient
  @_exported public import OstiaryAsyncHTTPClient
#endif
