public import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOSSL
public import OstiaryCore
public import ServiceLifecycle

/// The server: its users and sessions, its doors, and the network.
///
/// Use ``start()`` and ``stop()`` in a test or a program of one's own, or give it to a `ServiceGroup`, which also hears
/// `SIGTERM`. It runs once.
public final class OstiaryApplication: Service {
  /// What the server was made from.
  public let configuration: ServerConfiguration
  /// The users, and who they are.
  public let identity: IdentityService
  /// The last requests, in development mode only.
  public let journal: RequestJournal?

  let storage: ServerStorage
  private let furtherRoutes: [Route]
  private let sessions: ServerSessions
  private let pegaSessions: ServerSessions
  private let newzulu: NewzuluParts?
  private let clock: any SessionClock
  private let logger: Logger
  private let state = Locked(State.new)

  /// Where a server can be reached, once it can.
  public struct Running: Sendable {
    /// The origin for clients.
    public let origin: Origin
    /// The port that is listened on.
    public let port: Int
    /// What is spoken.
    public let doors: [any Door]
    /// The certificate, as PEM, of the development authority that clients have to trust, if there is one.
    public let authority: String?
  }

  private enum State: Sendable {
    case new
    case starting
    case running(ServiceGroup, Task<Void, any Error>)
    case stopped
  }

  /// Opens the storage and prepares the server; nothing is listened on yet.
  /// - Throws: ``ServerConfigurationError`` with everything that is wrong, or ``ServerError`` where the storage can't be
  ///   used.
  public convenience init(
    _ configuration: ServerConfiguration, logger: Logger = Logger(label: "ostiary.server")
  ) throws {
    try self.init(configuration, logger: logger, furtherRoutes: [])
  }

  /// - Parameter furtherRoutes: What is answered besides the doors.
  init(_ configuration: ServerConfiguration, logger: Logger, furtherRoutes: [Route]) throws {
    let problems = configuration.problems
    guard problems.isEmpty else { throw ServerConfigurationError(problems: problems) }
    self.configuration = configuration
    self.logger = logger
    self.furtherRoutes = furtherRoutes
    let development = configuration.development
    clock = development?.clock ?? .system
    storage =
      switch configuration.storage {
      case .memory: try .inMemory()
      case .folder(let folder): try ServerStorage(folder: folder)
      }
    var identity = IdentityConfiguration.standard
    identity.loginLimits = configuration.loginLimits
    if let parameters = development?.hashParameters { identity.hashParameters = parameters }
    if let policy = development?.passwordPolicy { identity.passwordPolicy = policy }
    if let workers = development?.hashWorkers { identity.hashWorkers = workers }
    if let queue = development?.hashQueue { identity.hashQueue = queue }
    self.identity = try IdentityService(storage: storage, configuration: identity, clock: clock, logger: logger)
    sessions = ServerSessions(storage: storage, clock: clock)
    pegaSessions = ServerSessions(
      storage: storage, limits: configuration.pega?.sessionLimits ?? .standard, clock: clock)
    newzulu = configuration.newzulu.map { [storage, clock] door in
      NewzuluParts(door, storage: storage, location: configuration.storage, clock: clock)
    }
    journal = development?.keepsJournal == true ? RequestJournal() : nil
    if development != nil {
      logger.warning("Development mode is on: this server protects nothing.")
    }
    if configuration.hasUnknownProxy {
      logger.warning(
        "Everybody seems to come from the proxy's address, so one who guesses passwords makes all wait: trust the proxy."
      )
    }
  }

  /// Listens, and returns when the first request can be answered.
  /// - Throws: ``ServerConfigurationError`` where the address or the certificate can't be used, `startedBefore`.
  @discardableResult
  public func start() async throws -> Running {
    let isFirst = state.withLock { state in
      guard case .new = state else { return false }
      state = .starting
      return true
    }
    guard isFirst else {
      throw ServerError(.startedBefore, "This server has been started before.", advice: "Make another one.")
    }
    do {
      return try await listen()
    } catch {
      state.withLock { $0 = .stopped }
      throw error
    }
  }

  /// Stops listening, lets requests in flight finish within the configured time, and closes the storage.
  public func stop() async {
    let running = state.withLock { state -> (ServiceGroup, Task<Void, any Error>)? in
      defer { state = .stopped }
      guard case .running(let group, let task) = state else { return nil }
      return (group, task)
    }
    if let (group, task) = running {
      await group.triggerGracefulShutdown()
      // How it ended is told by run(); whoever stops it has no use for that.
      _ = await task.result
    }
    // Closing fails only where it has been closed already.
    try? await storage.close()
    newzulu?.removeTemporaryFiles()
  }

  /// Starts, serves until the surrounding `ServiceGroup` shuts down or the task is cancelled, and stops.
  public func run() async throws {
    try await start()
    guard case .running(let group, let task) = state.withLock({ $0 }) else { return }
    let result = await withTaskCancellationHandler {
      await withGracefulShutdownHandler {
        await task.result
      } onGracefulShutdown: {
        Task { await group.triggerGracefulShutdown() }
      }
    } onCancel: {
      Task { await group.triggerGracefulShutdown() }
    }
    await stop()
    try result.get()
  }

  /// Whether requests are being answered.
  var isRunning: Bool {
    state.withLock { if case .running = $0 { true } else { false } }
  }

  // MARK: For tests and demonstrations

  /// Ends all sessions of a user, as an administrator would; whoever uses one is challenged.
  /// - Returns: How many there were.
  @discardableResult
  public func dropSessions(ofUserNamed name: String, tenant: String? = nil) async throws(ServerError) -> Int {
    guard let user = try await identity.user(named: name, tenant: tenant) else { return 0 }
    return try await sessions.endAll(forUserID: user.id)
  }

  /// Lets everybody see a file that was uploaded through the Newzulu door, as an editor would who has looked it over.
  /// - Returns: Whether there is such a file.
  @discardableResult
  public func moderateNewzuluFile(id: Int64, isVisible: Bool = true) async throws(ServerError) -> Bool {
    try await NewzuluMedia(storage: storage).moderate(id, isVisible: isVisible)
  }

  /// The files on this machine's disk that, one after the other, are the content of a file that was uploaded through the
  /// Newzulu door.
  public func contentOfNewzuluFile(id: Int64) async throws(ServerError) -> [URL] {
    try await newzulu?.uploads.content(of: id) ?? []
  }

  // MARK: Listening

  private func listen() async throws -> Running {
    var folder: URL?
    if case .folder(let url) = configuration.storage { folder = url }
    var server = HTTPServerBuilder.http1(configuration: channelConfiguration)
    var authority: String?
    if let source = configuration.tls {
      let tls: TLSConfiguration
      do {
        (tls, authority) = try TLSMaterial.configuration(source, folder: folder)
      } catch {
        throw ServerConfigurationError(problems: [error.message])
      }
      server = try .tls(server, tlsConfiguration: tls)
    }
    let routes = Locked<RouteTable?>(nil)
    let (bound, announce) = AsyncThrowingStream<Int, any Error>.makeStream()
    let application = Application(
      responder: Dispatcher(
        routes: routes, limits: configuration.http, proxies: TrustedProxies(configuration.trustedProxies),
        journal: journal),
      server: server,
      configuration: .init(
        address: .hostname(configuration.bareHost, port: configuration.port),
        availableConnectionsDelegate: MaximumAvailableConnections(configuration.http.connections, logger: logger)),
      onServerRunning: { channel in
        if let port = channel.localAddress?.port { announce.yield(port) }
      },
      logger: logger)
    var groupConfiguration = ServiceGroupConfiguration(services: [application], logger: logger)
    groupConfiguration.maximumGracefulShutdownDuration = configuration.stopTime
    let group = ServiceGroup(configuration: groupConfiguration)
    // Detached: an outer service group reaches this one through stop() alone.
    let task = Task.detached {
      do {
        try await group.run()
        announce.finish()
      } catch {
        announce.finish(throwing: error)
        throw error
      }
    }
    let port: Int
    do {
      port = try await bound.first { _ in true } ?? 0
    } catch {
      let reason =
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case is SocketAddressError.UnknownHost: "the name has no address"
        default: "the network says \(type(of: error))"
        }
      throw ServerConfigurationError(problems: [
        "\(configuration.host):\(configuration.port) can't be listened on: \(reason)."
      ])
    }
    guard let origin = configuration.origin(boundPort: port) else {
      await group.triggerGracefulShutdown()
      throw ServerConfigurationError(problems: ["The server's own address is not usable as an origin."])
    }
    let doors: [any Door]
    do {
      doors = try await self.doors(at: origin)
    } catch {
      await group.triggerGracefulShutdown()
      throw error
    }
    let table = RouteTable(healthRoutes + furtherRoutes + doors.flatMap(\.routes))
    routes.withLock { $0 = table }
    let isWanted = state.withLock { state in
      guard case .starting = state else { return false }
      state = .running(group, task)
      return true
    }
    guard isWanted else {
      await group.triggerGracefulShutdown()
      _ = await task.result
      throw ServerError(.startedBefore, "This server was stopped while it started.", advice: "Make another one.")
    }
    return Running(origin: origin, port: port, doors: doors, authority: authority)
  }

  private var channelConfiguration: HTTP1Channel.Configuration {
    let policy = SecurityHeaders(strictTransport: demandsTLS)
    return .init(
      additionalChannelHandlers: [ResponsePolicyHandler(policy: policy)],
      idleTimeout: TimeAmount(configuration.http.idleTime),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: configuration.http.headerSize, maxHeaderListSize: configuration.http.headerSize,
        maxHeaderFieldCount: configuration.http.headerCount))
  }

  /// Whether clients are told to use HTTPS for a year; never on account of a development certificate.
  private var demandsTLS: Bool {
    configuration.tls != .developmentAuthority && configuration.origin(boundPort: 1)?.isSecure == true
  }

  private func doors(at origin: Origin) async throws -> [any Door] {
    var doors: [any Door] = []
    if let pega = configuration.pega {
      doors.append(PegaDoor(configuration: pega, origin: origin, identity: identity, sessions: pegaSessions))
    }
    if let newzulu { doors.append(try await newzulu.door(at: origin, identity: identity)) }
    return doors
  }

  private var healthRoutes: [Route] {
    let identity = identity
    return HealthRoutes.routes(isReady: {
      do {
        _ = try await identity.user(id: "")
        return true
      } catch {
        return false
      }
    })
  }
}

extension ServerError.Code {
  /// A server runs once.
  public static let startedBefore = Self("started_before")
}
