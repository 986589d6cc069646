import OstiaryCore

/// Names that the doors share.
extension ServerConfiguration {
  /// The cookies of every door that is open.
  var cookieNames: ServerCookieNames {
    let isSecure = origin(boundPort: 1)?.isSecure == true
    let gatewayNames = gateway.map { GatewayNames($0.style, isSecure: isSecure).imitated } ?? []
    return ServerCookieNames((pega == nil ? [] : PegaCookies.imitated) + gatewayNames)
  }

  /// The hosts that requests may ask for: in development this machine, and those that are configured.
  var servedHosts: ServedHosts {
    guard development != nil else { return ServedHosts(own: nil) }
    let configured = [publicOrigin].compactMap { $0 } + (gateway?.protectedOrigins ?? [])
    let own = configured.compactMap(Self.origin) + [Origin(scheme: "http", host: bareHost, port: nil)].compactMap { $0 }
    return ServedHosts(own: Set(own.map(\.host)))
  }
}
