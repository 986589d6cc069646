import Foundation
import Logging
import NIOPosix
import OstiaryCore

/// The listener for operations, and what it tells.
extension OstiaryApplication {
  /// A clock or a mail that is behind by more needs attention.
  private static let clockTolerance = Duration.seconds(2)
  private static let mailPatience = Duration.seconds(300)

  /// Opens the listener for operations, which tells from then on how the server is.
  /// - Throws: ``ServerConfigurationError`` if its address can't be used.
  func openOperations() async throws {
    let (listener, address) = try await operationsListener()
    guard let listener, let address else { return }
    do {
      try listener.answer(
        with: OperationsRoutes(
          readiness: { [readiness] in await readiness.report() },
          metrics: { [weak self] in await self?.metricsText() ?? "" }
        ).routes)
    } catch {
      await listener.shutDown()
      throw error
    }
    watchers.withLock { $0 = Watchers(listener: listener, address: address) }
    Task { [logger] in
      _ = await listener.end
      if listener.isLost { logger.critical("The listener for operations is lost: the server goes on without it.") }
    }
  }

  private func operationsListener() async throws -> (ServerListener?, String?) {
    switch configuration.operations {
    case .off: return (nil, nil)
    case .address(let host, let port):
      let settings = configuration.forOperations(host: host, port: port)
      let own = Origin(scheme: "http", host: settings.bareHost, port: nil)
      // Without this check a page whose own name resolves to 127.0.0.1 (DNS rebinding) could read it.
      let listener = try await ServerListener(
        settings, hosts: ServedHosts(own: own?.isLoopback == true ? [] : nil), metrics: nil, journal: nil,
        logger: logger)
      let bound = settings.origin(boundPort: listener.port)
      return (listener, bound?.description ?? host)
    case .socket(let path):
      let socket = OperationsSocket(path: path)
      if let problem = await socket.problem() { throw ServerConfigurationError(problems: [problem]) }
      let listener = try await ServerListener(
        configuration.forOperations(host: "localhost", port: 0), socket: path, hosts: ServedHosts(own: nil),
        metrics: nil, journal: nil, logger: logger)
      do {
        try socket.restrict()
      } catch {
        await listener.shutDown()
        throw ServerConfigurationError(problems: ["\(path) can't be closed to other users: use another folder."])
      }
      return (listener, "unix:" + path)
    }
  }

  /// Closes the listener for operations, the last of what the server listens on.
  func closeOperations() async {
    let watchers = watchers.withLock { watchers in
      defer { watchers = nil }
      return watchers
    }
    guard let watchers else { return }
    await watchers.listener.shutDown()
    _ = await watchers.listener.end
    if case .socket(let path) = configuration.operations { OperationsSocket(path: path).remove() }
  }

  /// All metrics, with the values of now.
  func metricsText() async -> String {
    let report = await readiness.report()
    metrics.read(report)
    metrics.read(identity.hasher.pool)
    metrics.read(resources)
    metrics.read(cachesOf: storage)
    if let pool = storage.pool { metrics.storage.read(pool) }
    if let folder = storage.folder, let disk = await DiskSpace.of(folder) { metrics.read(disk) }
    // A database that answers nothing must not keep the metrics back.
    let isDatabaseThere = report.passes(.database)
    let backup = isDatabaseThere ? try? await storage.lastBackup : nil
    metrics.read(backupAge: backup.map { .seconds(max(0, clock.now.timeIntervalSince($0))) })
    if let accounts, accounts.sendsMail {
      let backlog = isDatabaseThere ? try? await storage.read { db in try MailBacklog.find(in: db) } : nil
      metrics.read(
        backlog, overdue: backlog?.firstDue.map { .seconds(max(0, clock.now.timeIntervalSince($0))) },
        failing: accounts.mailFailing)
    }
    if let keeper = storage.keeper {
      let (lease, leases) = (keeper.lease, metrics.storage.leases)
      leases.read(isHeld: lease.isHeld, isListening: lease.isListening, age: lease.asked?.duration(to: .now))
      let nodes = isDatabaseThere ? try? await storage.nodeCount() : nil
      leases.read(nodes)
    }
    return metrics.text
  }

  // MARK: Readiness

  /// The checks of this server.
  static func readiness(
    serving: @escaping Readiness.Check, storage: ServerStorage, migrations: [StorageMigration], doors: DoorRow,
    accounts: AccountServices?, clock: any SessionClock
  ) -> Readiness {
    Readiness([
      (.serving, serving),
      (
        .database,
        {
          // As a writer does, and changes nothing: a database that is locked or read-only still answers readers.
          await Self.check(storage) { () async throws(ServerError) in
            try await storage.write { db in _ = try AuditMark.end.find(isForUse: true, in: db) }
            try await storage.demandRights()
          }
        }
      ),
      (.durability, { await Durability.state(of: storage, clock) }),
      // A server starts with all of them or not at all, and a later one may add to them beside it.
      (.migrations, { migrations.isEmpty ? .failed(cause: "There are none.") : .good }),
      (.key, { await Self.key(of: storage) }),
      (.clock, { await Self.time(storage, clock) }),
      (.disk, disk(of: storage)),
      (
        .doors,
        {
          let unready = await doors.unready.map(\.text)
          return unready.isEmpty ? .good : .failed(cause: "Not ready: \(unready.joined(separator: ", ")).")
        }
      ),
      (.mail, { await Self.mail(accounts, storage, clock) }),
    ])
  }

  private static func check(
    _ storage: ServerStorage, _ body: () async throws(ServerError) -> Void
  ) async -> ReadinessState {
    do {
      try await body()
      return .good
    } catch {
      return databaseState(after: error, locksRows: storage.isShared)
    }
  }

  /// What an error of the database says of it. PostgreSQL locks rows: where the check has lost to other transactions, these go on, and
  /// most requests with them. A file is locked as a whole, and then no request can write.
  static func databaseState(after error: ServerError, locksRows: Bool) -> ReadinessState {
    // The messages of the storage name no row and no value.
    locksRows && error.code == .storageBusy ? .degraded(cause: error.message) : .failed(cause: error.message)
  }

  private static func key(of storage: ServerStorage) async -> ReadinessState {
    let key = storage.key
    do {
      let problem = try await NIOThreadPool.singleton.runIfActive { key.problem }
      return problem.map { .failed(cause: $0) } ?? .good
    } catch {
      return .failed(cause: "The server's key can't be checked now.")
    }
  }

  /// A clock that was set back, or is behind another server's, makes ended tokens live again: the newest event may be of another
  /// machine, with which this one shares the database.
  private static func time(_ storage: ServerStorage, _ clock: any SessionClock) async -> ReadinessState {
    if let state = clockState(storage.keeper?.clockDifference) { return state }
    do {
      let newest: Date? = try await storage.read { db in try db.value(AuditStatements.sql.newest) }
      let late = newest?.timeIntervalSince(clock.now) ?? 0
      guard late > clockTolerance.timeInterval else { return .good }
      return .degraded(cause: "The clock is \(Int(late)) s behind the newest event in the database.")
    } catch {
      return .degraded(cause: "The newest event in the database can't be read.")
    }
  }

  /// What the distance from the database's clock says; nil if it is none, or is not known.
  static func clockState(_ difference: Double?) -> ReadinessState? {
    guard let difference, abs(difference) > clockTolerance.timeInterval else { return nil }
    let seconds = String(format: "%.1f", abs(difference))
    return .failed(cause: "The clock is \(seconds) s \(difference > 0 ? "behind" : "ahead of") the database's.")
  }

  private static func disk(of storage: ServerStorage) -> Readiness.Check {
    guard let folder = storage.folder else { return { .good } }
    let probe = DiskProbe(folder: folder)
    return { await probe.takesWrites() ? .good : .failed(cause: "The disk of the data folder takes no writes.") }
  }

  /// Mail that doesn't go out is no reason to send clients to another server, which has the same outbox.
  private static func mail(
    _ accounts: AccountServices?, _ storage: ServerStorage, _ clock: any SessionClock
  ) async -> ReadinessState {
    guard let accounts, accounts.sendsMail else { return .good }
    if let failing = accounts.mailFailing, failing >= mailPatience {
      return .degraded(cause: "No mail could be sent for \(failing.components.seconds) s.")
    }
    guard let backlog = try? await storage.read({ db in try MailBacklog.find(in: db) }) else {
      return .degraded(cause: "The outbox can't be read.")
    }
    let late = backlog.firstDue.map { clock.now.timeIntervalSince($0) } ?? 0
    guard late >= mailPatience.timeInterval else { return .good }
    return .degraded(cause: "Mail in the outbox has been due for \(Int(late)) s.")
  }
}

/// What those who watch the server reach.
struct Watchers: Sendable {
  let listener: ServerListener
  /// The origin, or `unix:` and the path.
  let address: String
}

extension ServerConfiguration {
  /// The settings of the listener for operations: a small one, without TLS and without proxies.
  func forOperations(host: String, port: Int) -> ServerConfiguration {
    var settings = self
    settings.host = host
    settings.port = port
    settings.publicOrigin = nil
    settings.trustedProxies = []
    settings.tls = nil
    settings.http = HTTPLimits()
    settings.http.connections = 64
    settings.http.bodySize = 1024
    return settings
  }
}
