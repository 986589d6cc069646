import Foundation
public import Logging
import OstiaryCore
public import ServiceLifecycle
import Tracing

/// The server: its users and sessions, its doors, and the network.
///
/// Use ``start()`` and ``stop()`` in a test or in a program of your own, or give it to a `ServiceGroup`, which also
/// handles `SIGTERM`. It can be started only once.
public final class OstiaryApplication: Service {
  /// The server's configuration.
  package let configuration: ServerConfiguration
  /// The users, and their authentication.
  public let identity: IdentityService
  /// The last requests, in development mode only.
  package let journal: RequestJournal?

  let storage: ServerStorage
  /// The self-service flows and their mail; nil on a server without accounts of its own.
  let accounts: AccountServices?
  let doors: DoorRow
  let furtherRoutes: [Route]
  let logger: Logger
  /// The embedding program's information about this start, for the start page.
  let told = Locked<ToldOfStart?>(nil)
  let state: Locked<State>
  private let sessions: ServerSessions
  let sealer: AuditSealer
  let keys: KeyDuty
  let metrics: ServerMetrics
  let readiness: Readiness
  /// Nil where nothing is traced.
  let tracer: (any Tracer)?
  let exporter: SpanExporter?
  /// What those who watch the server reach, while it runs.
  let watchers = Locked<Watchers?>(nil)
  let clock: any SessionClock

  /// Opens the storage and prepares the server; it does not listen yet.
  /// - Throws: ``ServerConfigurationError`` with all problems, or ``ServerError`` if the storage can't be used.
  public convenience init(
    _ configuration: ServerConfiguration, logger: Logger = Logger(label: "ostiary.server")
  ) throws {
    try self.init(configuration, logger: logger, furtherRoutes: [])
  }

  /// - Parameters:
  ///   - kinds: The kinds of doors.
  ///   - furtherRoutes: The routes besides those of the doors.
  package init(
    _ configuration: ServerConfiguration, logger: Logger, doors kinds: [any DoorModule.Type] = houseDoors,
    furtherRoutes: [Route]
  ) throws {
    let problems = configuration.problems(of: kinds)
    guard problems.isEmpty else { throw ServerConfigurationError(problems: problems) }
    let development = configuration.development
    let clock: any SessionClock = development?.clock ?? .system
    self.configuration = configuration
    let recent = development?.keepsJournal == true ? RecentEvents(clock: clock) : nil
    var logger = logger
    if let recent { logger.handler = RecentLogHandler(logger.handler, recent) }
    self.logger = logger
    self.furtherRoutes = furtherRoutes
    self.clock = clock
    let metrics = ServerMetrics(doors: kinds.map { $0.metricValue }, beside: configuration.metrics)
    self.metrics = metrics
    let (exporter, tracer) = configuration.tracing(logger: logger, metrics: metrics.factory)
    (self.exporter, self.tracer) = (exporter, tracer)
    let migrations = Migrations.all(of: kinds)
    storage = try ServerStorage(configuration.storage, migrations: migrations, keys: configuration.keys)
    storage.measure(with: metrics.storage)
    identity = try IdentityService(
      storage: storage, configuration: configuration.identity, clock: clock, logger: logger, metrics: metrics.factory)
    sessions = ServerSessions(storage: storage, clock: clock)
    sealer = AuditSealer(
      storage: storage, settings: configuration.audit, clock: clock, logger: logger, metrics: metrics.audit)
    keys = KeyDuty(
      storage: storage, node: ServerStorage.nodeID(of: configuration.node.name), version: configuration.node.version,
      clock: clock, logger: logger)
    do {
      accounts = try configuration.accounts.map { [storage] accounts in
        try AccountServices(
          accounts, mail: configuration.mail, isDevelopment: development != nil, storage: storage, clock: clock,
          logger: logger, metrics: metrics.factory, tracer: tracer)
      }
    } catch {
      throw ServerConfigurationError(problems: ["The mail server's authorities can't be used: they must be PEM."])
    }
    let house = DoorHouse(
      storage: storage, identity: identity, accounts: accounts, folder: configuration.folder,
      cookieNames: configuration.cookieNames, isSecure: configuration.isSecure,
      speaksTLS: configuration.tls != nil,
      isForThisMachineOnly: configuration.isForThisMachineOnly, clock: clock,
      logger: logger)
    let doors = DoorRow(try kinds.compactMap { try configuration.doors.module($0, in: house) })
    self.doors = doors
    let state = Locked(State.new)
    self.state = state
    readiness = Self.readiness(
      serving: { state.withLock { $0.readiness } }, storage: storage, migrations: migrations, doors: doors,
      accounts: accounts, clock: clock)
    journal = recent.map { RequestJournal($0) }
    if development != nil {
      logger.warning("Development mode is on: this server protects nothing.")
    }
    if house.offersSignUp {
      logger.warning("Sign-up is on: people make themselves accounts, which doors admit as the start says.")
    }
    if configuration.hasUnknownProxy {
      logger.warning(
        "All clients seem to have the proxy's address, so a client that guesses passwords makes all wait: trust the proxy."
      )
    }
    if case .address(let host, _) = configuration.operations,
      Origin(scheme: "http", host: OperationsAddress.bare(host), port: nil)?.isLoopback != true
    {
      logger.warning("Operations are offered beyond this machine: what reaches the address sees the server's state.")
    }
  }

  /// A door, with its interface for the embedding program; nil if it is closed, or the server does not run.
  public func door<Kind: ServedDoor>(_ kind: Kind.Type) -> Kind? {
    running?.doors.lazy.compactMap { $0 as? Kind }.first
  }

  // MARK: For tests and demonstrations

  /// Ends all sessions of a user, as an administrator would; a client that uses one is challenged.
  /// - Returns: The number of sessions ended.
  @discardableResult
  package func dropSessions(ofUserNamed name: String, tenant: String? = nil) async throws(ServerError) -> Int {
    guard let user = try await identity.user(named: name, tenant: tenant) else { return 0 }
    return try await sessions.endAll(forUserID: user.id)
  }

  /// Stores the mail of a development server without a mail server; nil for other servers.
  public var insecureDevelopmentMailbox: InsecureDevelopmentMailbox? { accounts?.mailbox }

  /// Waits until all mail that is due has been tried.
  package func settleMail() async { await accounts?.settleMail() }
}
