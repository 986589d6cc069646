import Foundation
public import OstiaryCore
import ServiceLifecycle

extension OstiaryApplication {
  /// The addresses of a running server.
  public struct Running: Sendable {
    /// The origin for clients.
    public let origin: Origin
    /// The port on which the server listens.
    public let port: Int
    /// The open doors.
    package let doors: [any Door]
    /// The pages for accounts; nil if there are none.
    package let accounts: String?
    /// Where those who watch the server ask: `http://127.0.0.1:9400` or `unix:PATH`; nil if nowhere.
    package let operations: String?
    /// The page on which a development server shows the mail that it doesn't send.
    package let insecureMailbox: String?
    /// The certificate, as PEM, of the development authority that clients have to trust, if there is one.
    package let authority: String?
  }

  enum State: Sendable {
    case new
    case starting
    case running(Running, ServerListener)
    case stopped

    var readiness: ReadinessState {
      switch self {
      case .new, .starting: .failed(cause: "The server starts.")
      case .running: .good
      case .stopped: .failed(cause: "The server stops.")
      }
    }
  }

  /// The addresses of the running server; nil while it does not run.
  package var running: Running? {
    state.withLock { if case .running(let running, _) = $0 { running } else { nil } }
  }

  /// The resources that clients use, with their limits; empty while the server does not run.
  package var resources: [ResourceLimit] {
    listener.map { resources(of: $0) } ?? []
  }

  private func resources(of listener: ServerListener) -> [ResourceLimit] {
    listener.resources + (journal == nil ? [] : [RecentEvents.resource]) + identity.resources + doors.resources
  }

  var listener: ServerListener? {
    state.withLock { if case .running(_, let listener) = $0 { listener } else { nil } }
  }

  /// Listens, and returns when the first request can be answered.
  /// - Throws: ``ServerConfigurationError`` if the address or the certificate can't be used, `startedBefore`.
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

  /// Opens the socket first, because that makes the port known; then the doors. Only then the server answers requests.
  private func listen() async throws -> Running {
    let listener = try await ServerListener(
      configuration, hosts: configuration.servedHosts, metrics: metrics.requests, tracer: tracer, journal: journal,
      logger: logger)
    do {
      metrics.began(at: Date().timeIntervalSince1970)
      metrics.know(resources(of: listener))
      try await openOperations()
      let origin = try configuration.clientOrigin(boundPort: listener.port)
      let open = try await doors.open(
        at: DoorPlace(origin: origin, flows: accounts?.flows(at: origin, identity: identity)))
      let routes = healthRoutes + furtherRoutes + open.flatMap(\.routes)
      let all = routes + startRoutes(beside: routes)
      metrics.audit.know(Dictionary(all.map { ($0.pattern, $0.door) }) { first, _ in first })
      // First of all: a key is used when all servers that are known have it.
      try await keys.join()
      joinNodes()
      try listener.answer(with: all)
      let running = Running(
        origin: origin, port: listener.port, doors: open.compactMap(\.door),
        accounts: accounts.map { _ in origin.description + FlowPaths.home },
        operations: watchers.withLock { $0?.address },
        insecureMailbox: accounts?.mailbox.map { _ in origin.description + FlowPaths.mailbox },
        authority: listener.authority)
      try state.withLock { state in
        guard case .starting = state else {
          throw ServerError(.startedBefore, "This server was stopped while it started.", advice: "Make another one.")
        }
        state = .running(running, listener)
      }
      sealer.start()
      keys.start()
      exporter?.start()
      return running
    } catch {
      await listener.shutDown()
      _ = await listener.end
      await closeOperations()
      throw error
    }
  }

  /// Stops listening, lets requests in flight finish within the configured time, and closes the storage.
  public func stop() async {
    let listener = state.withLock { state -> ServerListener? in
      defer { state = .stopped }
      if case .running(_, let listener) = state { return listener }
      return nil
    }
    if let listener {
      await listener.shutDown()
      // run() reports how the listener ended; the caller of stop() does not need it.
      _ = await listener.end
    }
    await accounts?.close()
    await sealer.stop()
    await keys.stop()
    await exporter?.stop()
    await closeOperations()
    // Closing fails only if the storage has been closed already.
    try? await storage.close()
    await doors.close()
  }

  /// Starts, serves until the surrounding `ServiceGroup` shuts down or the task is cancelled, and stops.
  public func run() async throws {
    try await start()
    guard let listener else { return }
    let result = await withTaskCancellationHandler {
      await withGracefulShutdownHandler {
        await listener.end
      } onGracefulShutdown: {
        Task { await listener.shutDown() }
      }
    } onCancel: {
      Task { await listener.shutDown() }
    }
    let isLost = listener.isLost
    await stop()
    if isLost { throw Self.listenerLost() }
    try result.get()
  }

  /// Waits until the server has stopped serving; returns at once if it does not serve.
  /// - Throws: `listenerLost` if it had not been asked to stop. ``stop()`` still has to be called then.
  public func waitUntilStopped() async throws(ServerError) {
    guard let listener else { return }
    let result = await listener.end
    if listener.isLost { throw Self.listenerLost() }
    guard case .failure(let error) = result, !listener.isAsked else { return }
    throw Self.listenerLost(error)
  }

  private static func listenerLost(_ error: (any Error)? = nil) -> ServerError {
    ServerError(
      .listenerLost, "The server takes no more connections: the socket that it listened on was closed.",
      advice: "Start it again; if that happens often, look for what closes it in the system's log.",
      underlying: error)
  }

  private var healthRoutes: [Route] {
    HealthRoutes.routes { [readiness] in await readiness.report().isReady }
  }
}

extension ServerError.Code {
  /// A server can be started only once.
  package static let startedBefore = Self("started_before")
  /// The socket on which a server listened was closed without a request to stop.
  package static let listenerLost = Self("listener_lost")
}
