@_exported public import OstiaryCore
@_exported public import OstiaryHTML
@_exported public import OstiarySealing

#if canImport(Darwin)
  @_exported public import OstiaryURLSession
#elseif AsyncHTTPClient
  @_exported public import OstiaryAsyncHTTPClient
#endif
