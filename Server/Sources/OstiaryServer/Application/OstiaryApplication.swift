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
  private let gateway: GatewayParts?
  private let salesforce: SalesforceParts?
  private let accounts: AccountParts?
  /// What the account pages answer, once the address is known.
  private let ownRoutes = Locked<[Route]>([])
  private let clock: any SessionClock
  private let logger: Logger
  private let state = Locked(State.new)
  /// Why it serves no more, whichever came first.
  private let ending = Locked<Ending?>(nil)

  private enum Ending: Sendable {
    /// Somebody asked it to stop.
    case asked
    /// The socket was closed under it.
    case listenerLost
  }

  /// Where a server can be reached, once it can.
  public struct Running: Sendable {
    /// The origin for clients.
    public let origin: Origin
    /// The port that is listened on.
    public let port: Int
    /// What is spoken.
    public let doors: [any Door]
    /// The pages for accounts; nil where there are none.
    public let accounts: String?
    /// Where a development server shows the mail that it doesn't send.
    public let insecureMailbox: String?
    /// The certificate, as PEM, of the development authority that clients have to trust, if there is one.
    public let authority: String?
  }

  private enum State: Sendable {
    case new
    case starting
    case running(Running, ServiceGroup, Task<Void, any Error>)
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
      storage: storage, limits: configuration.pega?.sessionLimits ?? .standard, clock: clock, purpose: "pega")
    newzulu = configuration.newzulu.map { [storage, clock] door in
      NewzuluParts(door, storage: storage, location: configuration.storage, clock: clock)
    }
    salesforce = configuration.salesforce.map { [storage, clock] door in
      SalesforceParts(door, storage: storage, clock: clock, logger: logger)
    }
    do {
      gateway = try configuration.gateway.map { [storage, clock] door in
        let isSecure = configuration.origin(boundPort: 1)?.isSecure == true
        return try GatewayParts(
          door, storage: storage, isSecure: isSecure, serverCookies: configuration.cookieNames, clock: clock,
          logger: logger)
      }
    } catch {
      throw ServerConfigurationError(problems: ["The gateway's file of authorities can't be used."])
    }
    do {
      accounts = try configuration.accounts.map { [storage, clock] accounts in
        try AccountParts(
          accounts, mail: configuration.mail, isDevelopment: development != nil, storage: storage,
          isSecure: configuration.origin(boundPort: 1)?.isSecure == true, clock: clock, logger: logger)
      }
    } catch {
      throw ServerConfigurationError(problems: ["The mail server's authorities can't be used: they must be PEM."])
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
      guard case .running(_, let group, let task) = state else { return nil }
      return (group, task)
    }
    if let (group, task) = running {
      await shutDown(group)
      // How it ended is told by run(); whoever stops it has no use for that.
      _ = await task.result
    }
    await accounts?.close()
    // Closing fails only where it has been closed already.
    try? await storage.close()
    newzulu?.removeTemporaryFiles()
    await gateway?.close()
  }

  /// Starts, serves until the surrounding `ServiceGroup` shuts down or the task is cancelled, and stops.
  public func run() async throws {
    try await start()
    guard case .running(_, let group, let task) = state.withLock({ $0 }) else { return }
    let result = await withTaskCancellationHandler {
      await withGracefulShutdownHandler {
        await task.result
      } onGracefulShutdown: {
        Task { await self.shutDown(group) }
      }
    } onCancel: {
      Task { await self.shutDown(group) }
    }
    let error = listenerLost
    await stop()
    if let error { throw error }
    try result.get()
  }

  /// Waits until the server serves no more; at once where it doesn't.
  /// - Throws: `listenerLost` where nobody had asked it to stop. ``stop()`` still has to be called then.
  public func waitUntilStopped() async throws(ServerError) {
    guard case .running(_, _, let task) = state.withLock({ $0 }) else { return }
    let result = await task.result
    if let listenerLost { throw listenerLost }
    guard case .failure(let error) = result, ending.withLock({ $0 }) == nil else { return }
    throw Self.listenerLost(error)
  }

  private func shutDown(_ group: ServiceGroup) async {
    ending.withLock { $0 = $0 ?? .asked }
    await group.triggerGracefulShutdown()
  }

  private var listenerLost: ServerError? {
    ending.withLock { $0 } == .listenerLost ? Self.listenerLost(nil) : nil
  }

  private static func listenerLost(_ error: (any Error)?) -> ServerError {
    ServerError(
      .listenerLost, "The server takes no more connections: the socket that it listened on was closed.",
      advice: "Start it again; if that happens often, look for what closes it in the system's log.",
      underlying: error)
  }

  /// Where the server can be reached; nil while it does not run.
  public var running: Running? {
    state.withLock { if case .running(let running, _, _) = $0 { running } else { nil } }
  }

  // MARK: For tests and demonstrations

  /// Ends all sessions of a user, as an administrator would; whoever uses one is challenged.
  /// - Returns: How many there were.
  @discardableResult
  public func dropSessions(ofUserNamed name: String, tenant: String? = nil) async throws(ServerError) -> Int {
    guard let user = try await identity.user(named: name, tenant: tenant) else { return 0 }
    return try await sessions.endAll(forUserID: user.id)
  }

  /// Where a development server without a mail server puts its mail; nil elsewhere.
  public var insecureDevelopmentMailbox: InsecureDevelopmentMailbox? { accounts?.mailbox }

  /// Waits until all mail that is due has been tried.
  public func settleMail() async { await accounts?.settleMail() }

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

  /// The events that apps have delivered through the Primer door, oldest first, as they were sent.
  public func primerEvents() async throws(ServerError) -> [JSONValue] {
    guard let primer = configuration.primer else { return [] }
    return try await PrimerRecords(storage: storage, configuration: primer).events()
  }

  var accountRoutes: [Route] { ownRoutes.withLock { $0 } }

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
    let (bound, announce) = AsyncThrowingStream<any Channel, any Error>.makeStream()
    let application = Application(
      responder: Dispatcher(
        routes: routes, limits: configuration.http, proxies: TrustedProxies(configuration.trustedProxies),
        journal: journal, hosts: configuration.servedHosts, cookies: configuration.cookieNames),
      server: server,
      configuration: .init(
        address: .hostname(configuration.bareHost, port: configuration.port),
        availableConnectionsDelegate: MaximumAvailableConnections(configuration.http.connections, logger: logger)),
      onServerRunning: { channel in _ = announce.yield(channel) },
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
    var port = 0
    do {
      if let listener = try await bound.first(where: { _ in true }) {
        port = listener.localAddress?.port ?? 0
        notice(theEndOf: listener, group)
      }
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
      await shutDown(group)
      throw ServerConfigurationError(problems: ["The server's own address is not usable as an origin."])
    }
    let flows = accounts?.flows(at: origin, identity: identity)
    let doors: [any Door]
    do {
      doors = try await self.doors(at: origin, flows)
    } catch {
      await shutDown(group)
      throw error
    }
    let own = accounts.flatMap { accounts in flows.map { accounts.routes(at: origin, $0) } } ?? []
    ownRoutes.withLock { $0 = own }
    let all = healthRoutes + furtherRoutes + own + doors.flatMap(\.routes)
    if let path = Route.collision(in: all) {
      await shutDown(group)
      throw ServerConfigurationError(problems: ["\(path) is wanted by two doors: give the gateway another path."])
    }
    let table = RouteTable(all)
    routes.withLock { $0 = table }
    let running = Running(
      origin: origin, port: port, doors: doors, accounts: accounts.map { _ in origin.description + FlowPaths.home },
      insecureMailbox: accounts?.mailbox.map { _ in origin.description + DevelopmentMailboxRoutes.path },
      authority: authority)
    let isWanted = state.withLock { state in
      guard case .starting = state else { return false }
      state = .running(running, group, task)
      return true
    }
    guard isWanted else {
      await shutDown(group)
      _ = await task.result
      throw ServerError(.startedBefore, "This server was stopped while it started.", advice: "Make another one.")
    }
    return running
  }

  /// Ends everything when the socket goes and nobody asked for that: a server that nobody can reach is none.
  private func notice(theEndOf listener: any Channel, _ group: ServiceGroup) {
    listener.closeFuture.whenComplete { [ending] _ in
      let isLost = ending.withLock { ending in
        guard ending == nil else { return false }
        ending = .listenerLost
        return true
      }
      if isLost { Task { await group.triggerGracefulShutdown() } }
    }
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

  private func doors(at origin: Origin, _ flows: FlowService?) async throws -> [any Door] {
    var doors: [any Door] = []
    if let pega = configuration.pega {
      doors.append(PegaDoor(configuration: pega, origin: origin, identity: identity, sessions: pegaSessions))
    }
    if let newzulu { doors.append(try await newzulu.door(at: origin, identity: identity)) }
    if let gateway { doors.append(gateway.door(at: origin, identity: identity)) }
    if let salesforce { doors.append(try await salesforce.door(at: origin, identity: identity)) }
    if let primer = configuration.primer {
      doors.append(
        PrimerDoor(
          configuration: primer, origin: origin, identity: identity, flows: flows,
          offersSignUp: configuration.accounts?.offersSignUp ?? true,
          isForThisMachineOnly: configuration.isForThisMachineOnly))
    }
    return doors
  }

  private var healthRoutes: [Route] {
    let identity = identity
    let probe: DiskProbe? =
      if case .folder(let folder) = configuration.storage { DiskProbe(folder: folder) } else { nil }
    return HealthRoutes.routes(isReady: {
      do {
        _ = try await identity.user(id: "")
        return await probe?.takesWrites() ?? true
      } catch {
        return false
      }
    })
  }
}

extension ServerError.Code {
  /// A server runs once.
  public static let startedBefore = Self("started_before")
  /// The socket that a server listened on was closed, and nobody had asked for it.
  public static let listenerLost = Self("listener_lost")
}
