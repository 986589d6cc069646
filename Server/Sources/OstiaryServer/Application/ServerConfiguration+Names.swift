import OstiaryCore

/// Names that the doors share.
extension ServerConfiguration {
  /// The cookies of every door that is open.
  var cookieNames: ServerCookieNames {
    ServerCookieNames(doors.naming.flatMap { $0.imitatedCookies(isSecure: isSecure) })
  }

  /// The hosts that requests may ask for: in development this machine, and those that are configured.
  var servedHosts: ServedHosts {
    guard development != nil else { return ServedHosts(own: nil) }
    let configured = [publicOrigin].compactMap { $0 } + doors.naming.flatMap(\.servedOrigins)
    let own =
      configured.compactMap(Origin.init(plain:)) + [Origin(scheme: "http", host: bareHost, port: nil)].compactMap { $0 }
    return ServedHosts(own: Set(own.map(\.host)))
  }
}
