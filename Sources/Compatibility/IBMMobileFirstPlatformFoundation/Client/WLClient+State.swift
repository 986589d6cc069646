internal import Foundation
internal import Ostiary

extension WLClient.State {
  /// What there is of the present server.
  mutating func connect(_ environment: WLEnvironment, _ registry: HandlerRegistry) -> ServerConnection {
    if let connection { return connection }
    var environment = environment
    environment.gateway = gateway
    if challengeTimeout > 0 { environment.sessions.signInPatience = .seconds(challengeTimeout) }
    let address = serverURL.flatMap { ServerAddress($0) }
    let rest = cookieStore.map { CookieRest(store: $0, server: address, dropped: dropped) }
    let made = ServerConnection(address: address, environment: environment, registry: registry, rest: rest)
    connection = made
    return made
  }

  /// Whether another address is another server: not a mere spelling of the same.
  func leaves(_ before: URL, for url: URL?) -> Bool {
    CookieRest.key(of: ServerAddress(before)) != CookieRest.key(of: url.flatMap { ServerAddress($0) })
  }

  /// Drops what rests of a server without having been read; once there is a store, where there is none yet.
  mutating func dropRest(of server: ServerAddress?) -> ClientCookies? {
    guard let cookieStore else {
      left.append(server)
      return nil
    }
    let cookies = ClientCookies(restingIn: CookieRest(store: cookieStore, server: server, dropped: []))
    dropped.append(cookies)
    return cookies
  }
}
