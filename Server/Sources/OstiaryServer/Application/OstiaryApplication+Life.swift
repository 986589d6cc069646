public import OstiaryCore
import ServiceLifecycle

extension OstiaryApplication {
  /// Where a server can be reached, once it can.
  public struct Running: Sendable {
    /// The origin for clients.
    public let origin: Origin
    /// The port that is listened on.
    public let port: Int
    /// What is spoken.
    package let doors: [any Door]
    /// The pages for accounts; nil where there are none.
    package let accounts: String?
    /// Where a development server shows the mail that it doesn't send.
    package let insecureMailbox: String?
    /// The certificate, as PEM, of the development authority that clients have to trust, if there is one.
    package let authority: String?
  }

  enum State: Sendable {
    case new
    case starting
    case running(Running, ServerListener)
    case stopped
  }

  /// Where the server can be reached; nil while it does not run.
  package var running: Running? {
    state.withLock { if case .running(let running, _) = $0 { running } else { nil } }
  }

  /// What clients use up, and the most that they may have; empty while the server does not run.
  package var resources: [ResourceLimit] {
    guard let listener else { return [] }
    return listener.resources + (journal == nil ? [] : [RecentEvents.resource]) + identity.resources + doors.resources
  }

  var listener: ServerListener? {
    state.withLock { if case .running(_, let listener) = $0 { listener } else { nil } }
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

  /// The socket first, so that the port is known; then the doors, and only then answers.
  private func listen() async throws -> Running {
    let listener = try await ServerListener(configuration, journal: journal, logger: logger)
    do {
      let origin = try configuration.clientOrigin(boundPort: listener.port)
      let open = try await doors.open(
        at: DoorPlace(origin: origin, flows: accounts?.flows(at: origin, identity: identity)))
      let routes = healthRoutes + furtherRoutes + open.flatMap(\.routes)
      try listener.answer(with: routes + startRoutes(beside: routes))
      let running = Running(
        origin: origin, port: listener.port, doors: open.compactMap(\.door),
        accounts: accounts.map { _ in origin.description + FlowPaths.home },
        insecureMailbox: accounts?.mailbox.map { _ in origin.description + FlowPaths.mailbox },
        authority: listener.authority)
      try state.withLock { state in
        guard case .starting = state else {
          throw ServerError(.startedBefore, "This server was stopped while it started.", advice: "Make another one.")
        }
        state = .running(running, listener)
      }
      sealer.start()
      return running
    } catch {
      await listener.shutDown()
      _ = await listener.end
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
      // How it ended is told by run(); the caller that stops it has no use for that.
      _ = await listener.end
    }
    await accounts?.close()
    await sealer.stop()
    // Closing fails only where it has been closed already.
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

  /// Waits until the server serves no more; at once where it doesn't.
  /// - Throws: `listenerLost` where it had not been asked to stop. ``stop()`` still has to be called then.
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
    let probe = configuration.folder.map { DiskProbe(folder: $0) }
    return HealthRoutes.routes { [identity, doors] in
      do {
        _ = try await identity.user(id: "")
        guard await probe?.takesWrites() ?? true else { return false }
        return await doors.areReady
      } catch {
        return false
      }
    }
  }
}

extension ServerError.Code {
  /// A server runs once.
  package static let startedBefore = Self("started_before")
  /// The socket that a server listened on was closed, without having been asked for.
  package static let listenerLost = Self("listener_lost")
}
