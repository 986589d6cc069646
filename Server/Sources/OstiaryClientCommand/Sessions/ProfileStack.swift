internal import Logging
internal import OstiaryCore
internal import OstiaryOAuth

/// Session managers that stand over each other: of gateways, the outermost first, and of a server behind them.
struct ProfileStack: Sendable {
  /// The profiles and their managers, the outermost first.
  private(set) var layers: [(profile: Profile, manager: SessionManager)] = []
  /// The way through all of them.
  private(set) var way: any Transport
  private let folders: Folders
  private let environment: CommandEnvironment
  private let logger: Logger
  private let trace: TraceFile?
  private let journal: ProfileJournal

  /// Makes one without layers.
  /// - Parameters:
  ///   - transport: the way to the outermost server.
  ///   - trace: gets what is sent, received and decided.
  init(
    over transport: CommandTransport, folders: Folders, environment: CommandEnvironment, logger: Logger,
    trace: TraceFile?
  ) {
    way = trace?.recorder.transport(over: transport) ?? transport
    self.folders = folders
    var environment = environment
    environment.trace = trace?.recorder
    self.environment = environment
    self.logger = logger
    self.trace = trace
    journal = ProfileJournal(folders, environment.console)
  }

  /// Puts a profile's session over the others.
  @discardableResult
  mutating func add(
    _ profile: Profile, _ kind: any ServerKind, _ credentials: CredentialSource
  ) throws -> SessionManager {
    var configuration = SessionConfiguration()
    // Files are never locked: waiting for them to be unlocked would not help.
    configuration.storePatience = .zero
    let manager = SessionManager(
      authenticator: try kind.authenticator(for: profile, in: environment, over: way), transport: way,
      credentials: credentials, store: folders.sessions, key: profile.sessionKey, configuration: configuration,
      clock: environment.clock, logger: logger)
    manager.onEvent { [journal] event in journal.add(event, of: profile) }
    trace?.recorder.observe(manager)
    layers.append((profile, manager))
    way = AuthenticatedTransport(manager)
    return manager
  }
}

/// Records the events of sessions.
private struct ProfileJournal: Sendable {
  private let journal: EventJournal
  private let console: Console
  private let hasWarned = Locked(false)

  init(_ folders: Folders, _ console: Console) {
    journal = EventJournal(folders)
    self.console = console
  }

  func add(_ event: SessionEvent, of profile: Profile) {
    // Every run of the command restores the session of the last one. That is not recorded.
    guard event.kind != .restored else { return }
    do {
      // One wait for a process that holds the journal is enough for all events.
      let patience: Duration = hasWarned.withLock { $0 } ? .zero : EventJournal.patience
      try journal.append(JournalEntry(profile: profile.name, event: event), waiting: patience)
    } catch {
      // A failure of the journal must not end the session, or delay a sign-out.
      let isFirst = hasWarned.withLock { warned in
        defer { warned = true }
        return !warned
      }
      if isFirst { console.warn(SessionMessage.notInJournal(reason: FailureReport.words(error))) }
    }
  }
}
