import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import OstiaryCore
import ServiceLifecycle
import Tracing

/// The socket on which a server listens, and its connections. It answers "unavailable" until it has its routes.
final class ServerListener: Sendable {
  /// The port on which it listens.
  let port: Int
  /// The certificate, as PEM, of the development authority that clients have to trust, if there is one.
  let authority: String?

  /// The resources that clients use at every door.
  let resources: [ResourceLimit]

  /// The socket; nil where it was closed at once.
  let channel: (any Channel)?

  private let routes: Locked<RouteTable?>
  private let group: ServiceGroup
  private let task: Task<Void, any Error>
  private let ending: Locked<Ending?>

  /// Why it has stopped serving; the first reason counts.
  private enum Ending: Sendable {
    /// It was asked to stop.
    case asked
    /// The socket was closed without a request to stop.
    case listenerLost
  }

  /// Listens.
  /// - Parameters:
  ///   - socket: The path of a socket to listen on instead of the host and port.
  ///   - hosts: The hosts that requests may name.
  ///   - metrics: Measures the requests.
  ///   - tracer: Traces the requests.
  /// - Throws: ``ServerConfigurationError`` if the address or the certificate can't be used.
  init(
    _ configuration: ServerConfiguration, socket: String? = nil, hosts: ServedHosts, metrics: RequestMetrics?,
    tracer: (any Tracer)? = nil, journal: RequestJournal?, logger: Logger
  ) async throws {
    let descriptors = DescriptorLimit.raised()
    if let problem = descriptors.problem { throw ServerConfigurationError(problems: [problem]) }
    let proxies = TrustedProxies(configuration.trustedProxies)
    let connections = Connections(
      ConnectionLimits(configuration.http, descriptors: descriptors, memory: .ofThisMachine()), proxies: proxies)
    let underWay = RequestsUnderWay(most: connections.limits.requestsPerClient)
    resources = HTTPResource.limits(configuration.http, connections, underWay, descriptors)
    let server: HTTPServerBuilder
    (server, authority) = try Self.protected(
      .http1(configuration: Self.channel(configuration, connections)), configuration)
    let routes = Locked<RouteTable?>(nil)
    let (bound, announce) = AsyncThrowingStream<any Channel, any Error>.makeStream()
    let application = Application(
      responder: Dispatcher(
        routes: routes, limits: configuration.http, proxies: proxies, journal: journal,
        underWay: underWay, connections: connections,
        hosts: hosts,
        cookies: configuration.cookieNames, metrics: metrics, tracer: tracer),
      server: server,
      configuration: .init(
        address: socket.map { BindAddress.unixDomainSocket(path: $0) }
          ?? .hostname(configuration.bareHost, port: configuration.port),
        availableConnectionsDelegate: MaximumAvailableConnections(
          // Above the limit: a connection is admitted before another is closed for it.
          connections.limits.connections + DescriptorLimit.fewestConnections, logger: logger)),
      onServerRunning: { channel in _ = announce.yield(channel) },
      logger: logger)
    var groupConfiguration = ServiceGroupConfiguration(services: [application], logger: logger)
    groupConfiguration.maximumGracefulShutdownDuration = configuration.stopTime
    let group = ServiceGroup(configuration: groupConfiguration)
    // Detached: an outer service group stops this one through stop() only.
    task = Task.detached {
      do {
        try await group.run()
        announce.finish()
      } catch {
        announce.finish(throwing: error)
        throw error
      }
    }
    let ending = Locked<Ending?>(nil)
    let channel: (any Channel)?
    do {
      channel = try await bound.first { _ in true }
      if let channel {
        try await channel.eventLoop.submit {
          try channel.pipeline.syncOperations.addHandler(AcceptFailureHandler(connections), position: .first)
        }.get()
      }
      port = channel?.localAddress?.port ?? 0
      if let channel { Self.notice(theEndOf: channel, group, ending) }
    } catch {
      throw Self.refusal(socket ?? "\(configuration.host):\(configuration.port)", error)
    }
    self.channel = channel
    self.routes = routes
    self.group = group
    self.ending = ending
  }

  /// Begins to answer requests.
  /// - Throws: ``ServerConfigurationError`` if two of the routes have the same path.
  func answer(with all: [Route]) throws {
    if let path = Route.collision(in: all) {
      throw ServerConfigurationError(problems: ["\(path) is wanted by two doors: give the gateway another path."])
    }
    let table = RouteTable(all)
    routes.withLock { $0 = table }
  }

  /// Takes no more connections, and lets requests in flight finish.
  func shutDown() async {
    ending.withLock { $0 = $0 ?? .asked }
    await group.triggerGracefulShutdown()
  }

  /// The result of serving; waits for the end.
  var end: Result<Void, any Error> {
    get async { await task.result }
  }

  /// Whether it was asked to stop before the socket was lost.
  var isAsked: Bool { ending.withLock { $0 } == .asked }

  /// Whether its socket was closed without a request to stop.
  var isLost: Bool { ending.withLock { $0 } == .listenerLost }

  /// Stops everything when the socket is closed without a request: a server that can't be reached must not go on running.
  private static func notice(theEndOf channel: any Channel, _ group: ServiceGroup, _ ending: Locked<Ending?>) {
    channel.closeFuture.whenComplete { _ in
      let isLost = ending.withLock { ending in
        guard ending == nil else { return false }
        ending = .listenerLost
        return true
      }
      if isLost { Task { await group.triggerGracefulShutdown() } }
    }
  }

  private static func refusal(_ place: String, _ error: any Error) -> ServerConfigurationError {
    let reason =
      switch error {
      case let error as IOError: String(cString: strerror(error.errnoCode))
      case is SocketAddressError.UnknownHost: "the name has no address"
      default: "the network says \(type(of: error))"
      }
    return ServerConfigurationError(problems: ["\(place) can't be listened on: \(reason)."])
  }

  /// The server with TLS, if that is configured, and the authority that clients then have to trust.
  private static func protected(
    _ server: HTTPServerBuilder, _ configuration: ServerConfiguration
  ) throws -> (HTTPServerBuilder, authority: String?) {
    guard let source = configuration.tls else { return (server, nil) }
    let tls: TLSConfiguration
    let authority: String?
    do {
      (tls, authority) = try TLSMaterial.configuration(source, folder: configuration.folder)
    } catch {
      throw ServerConfigurationError(problems: [error.message])
    }
    return (try .tls(server, tlsConfiguration: tls), authority)
  }

  private static func channel(
    _ configuration: ServerConfiguration, _ connections: Connections
  ) -> HTTP1Channel.Configuration {
    let writeTime = TimeAmount(configuration.http.writeTime)
    let idleTime = TimeAmount(configuration.http.idleTime)
    let policy = SecurityHeaders(strictTransport: configuration.demandsTLS)
    return .init(
      additionalChannelHandlers: [
        ConnectionHandler(connections, writeTime: writeTime, idleTime: idleTime), ResponsePolicyHandler(policy: policy),
      ],
      idleTimeout: idleTime,
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: configuration.http.headerSize, maxHeaderListSize: configuration.http.headerSize,
        maxHeaderFieldCount: configuration.http.headerCount))
  }
}
