import Foundation
import Logging
import NIOPosix
import OstiaryCore

/// A process's part in changing the server's key: it takes the steps of ``KeyRotation`` when they are due, seals rows again, and, of a
/// server, tells the others which keys it has. Any process may take a step; what each does is a transaction that looks again.
final class KeyDuty: Sendable {
  static let interval = Duration.seconds(1)
  /// While a change is under way, a server is seen at least so often: more often while servers are waited for. Without a change its row
  /// only has to stay.
  private static let heartbeats = (
    waiting: Duration.seconds(5), later: Duration.seconds(20), idle: Duration.seconds(12 * 3600)
  )
  /// The longest time between two attempts to register at a database that takes no writes.
  private static let longestPause = Duration.seconds(15)
  private static let batch = 100
  /// The longest time for which something counts that clients alone have: a browser's number and the form that signs out.
  private static let longestPage: TimeInterval = 24 * 3600

  private struct Registration: Sendable {
    var content: ServerStorage.KeyRegistration
    var written: ContinuousClock.Instant
  }

  private struct State: Sendable {
    /// What the database has of this server; nil while it has nothing.
    var registration: Registration?
    /// How often in a row the database took no registration, and when the next attempt is due.
    var refusals = 0
    var due = ContinuousClock.now
    /// What was logged last of a key that the database does not take any more.
    var told: String?
  }

  /// The id of the server among those that share the database; also that of a command, which is none.
  let node: String
  private let version: String
  private let storage: ServerStorage
  private let isServer: Bool
  private let clock: any SessionClock
  private let logger: Logger
  private let state = Locked(State())
  private let worker = Locked<Task<Void, Never>?>(nil)

  /// - Parameter version: that of the server; nil for a command, which registers nothing.
  init(
    storage: ServerStorage, node: String, version: String?, clock: any SessionClock = .system, logger: Logger
  ) {
    self.storage = storage
    self.node = node
    self.version = version ?? ""
    isServer = version != nil
    self.clock = clock
    self.logger = logger
  }

  // MARK: What depends on a key

  /// What seals the rows again that a key has sealed. Databases store how many of them are done: a new one comes last.
  private var parts: [KeyResealing] {
    let (outbox, flows) = (Outbox(storage.key), FlowSeal(storage.key))
    let successors = SuccessorKey.of(storage)
    return [
      { place, most, db in try outbox.reseal(after: place, most: most, in: db) },
      { place, most, db in try flows.resealStates(after: place, most: most, in: db) },
      { place, most, db in try successors.reseal(after: place, most: most, in: db) },
    ]
  }

  /// Until when what was made with a key counts, in seconds since 1970, where nothing more is made with it.
  static func needed(in db: StorageConnection, from now: Date) throws -> Double {
    // A count of guesses by the name of a key is no use without it, and neither is the mark of a number that was used.
    let ends: [Double?] = [
      try db.value(GuessStatements.sql.latest), try db.value(NumberStatements.sql.latest),
      try db.value(FlowStatements.sql.latest),
    ]
    return ends.compactMap { $0 }.reduce(now.timeIntervalSince1970 + longestPage) { max($0, $1) }
  }

  // MARK: Turns

  /// Registers a server before it answers requests, and lets it have all keys that there are. At a database that takes no writes it
  /// registers later, unless the key is being changed.
  /// - Throws: a storage code.
  func join() async throws(ServerError) {
    do {
      // The row first: a key that is put to use afterwards waits for this server.
      try await register(nil)
    } catch {
      guard error.isAboutWritesAlone, try await storage.followKeys(at: clock.now).admitsUnregistered else {
        throw error
      }
      return logger.warning(
        "The database takes no writes: the server starts all the same, and answers what it can answer without them.",
        metadata: ["error": "\(error.code)"])
    }
    let rotation = try await storage.followKeys(at: clock.now)
    try await register(rotation)
    guard rotation.former != nil, let kept = state.withLock({ $0.registration })?.content, kept.kept < kept.used else {
      return
    }
    logger.warning(
      "The server has started with the key before the current one. Put the new one in its place before that is retired."
    )
  }

  /// Does what is to be done now.
  /// - Returns: how the change stands.
  @discardableResult
  func turn() async throws(ServerError) -> KeyRotation {
    var rotation = try await storage.followKeys(at: clock.now)
    while true {
      if try await register(rotation) { rotation = try await storage.followKeys(at: clock.now) }
      guard rotation.step != nil else { break }
      let now = clock.now
      let step = try await storage.takeKeyStep(at: now) { db in try Self.needed(in: db, from: now) }
      guard let step else { break }
      switch step {
      case .use(let number): logger.notice("The servers use key \(number) from now on.")
      case .settle(let number): logger.notice("All servers use key \(number).")
      }
      rotation = try await storage.followKeys(at: clock.now)
    }
    guard let number = rotation.resealing else { return rotation }
    while try await storage.resealRows(with: number, as: node, parts, most: Self.batch, at: clock.now) {
      guard !Task.isCancelled else { return rotation }
    }
    return try await storage.followKeys(at: clock.now)
  }

  /// Tells the other servers which keys this one has, if they don't know.
  /// - Parameter rotation: nil at the start.
  /// - Returns: whether something was written.
  @discardableResult
  private func register(_ rotation: KeyRotation?) async throws(ServerError) -> Bool {
    if rotation?.former != nil { await keepKey() }
    guard isServer else { return false }
    let (known, due) = state.withLock { ($0.registration, $0.due) }
    if let rotation, !rotation.isUnderWay {
      guard let known else {
        guard due <= .now else { return false }
        return try await write(await registration(), tidies: true)
      }
      let isUnseen = known.written + Self.heartbeats.idle <= .now
      // Nothing can be new but the keys themselves.
      guard isUnseen || known.content.used != storage.key.content.current else { return false }
    }
    let content = await registration()
    if let known, known.content == content {
      let heartbeat = rotation?.waitsForNodes == true ? Self.heartbeats.waiting : Self.heartbeats.later
      guard known.written + heartbeat <= .now else { return false }
    }
    return try await write(content, tidies: known == nil)
  }

  /// - Returns: true.
  private func write(_ content: ServerStorage.KeyRegistration, tidies: Bool) async throws(ServerError) -> Bool {
    do {
      try await storage.registerKeys(content, of: node, version: version, tidies: tidies, at: clock.now)
    } catch {
      if error.isAboutWritesAlone {
        state.withLock { state in
          let pause = min(Self.longestPause, Self.interval * (1 << min(state.refusals, 4)))
          state.refusals += 1
          state.due = ContinuousClock.now + pause * Double.random(in: 0.5...1)
        }
      }
      throw error
    }
    let wasRefused = state.withLock { state in
      defer { (state.registration, state.refusals) = (Registration(content: content, written: .now), 0) }
      return state.registration == nil && state.refusals > 0
    }
    if wasRefused { logger.notice("The database takes writes again, and has this server on the list of its servers.") }
    return true
  }

  /// Reads the file that has the key, which blocks.
  private func registration() async -> ServerStorage.KeyRegistration {
    let read = try? await NIOThreadPool.singleton.runIfActive { [storage] in storage.keyRegistration }
    let content = storage.key.content
    return read ?? ServerStorage.KeyRegistration(known: content.newest, used: content.current, kept: 0)
  }

  private func keepKey() async {
    guard storage.keepsKeyItself else { return }
    do {
      let isReplaced = try await NIOThreadPool.singleton.runIfActive { [storage] in try storage.keepCurrentKey() }
      if isReplaced { logger.notice("The data folder has the new key now.") }
    } catch {
      logger.error("The new key can't be stored in the data folder.")
    }
  }

  // MARK: Life

  /// Takes turns every second, until ``stop()`` or until the value is released.
  func start() {
    worker.withLock { worker in
      guard worker == nil else { return }
      worker = Task { [weak self] in
        var seen: Int?
        while let version = await self?.pass(seen) {
          seen = version
          do { try await Task.sleep(for: Self.interval) } catch { return }
        }
      }
    }
  }

  /// Ends the turns, and takes the server off the list.
  func stop() async {
    let task = worker.withLock { worker in
      defer { worker = nil }
      return worker
    }
    task?.cancel()
    await task?.value
    guard state.withLock({ $0.registration }) != nil else { return }
    // A row that stays is not waited for after a while.
    try? await storage.unregisterKeys(of: node)
  }

  /// - Parameter seen: the storage's version at the last pass that had nothing to do.
  /// - Returns: the version of this one; nil after the last pass.
  func pass(_ seen: Int?) async -> Int? {
    guard !Task.isCancelled else { return nil }
    // Elsewhere no version shows whether there is something new.
    let version: Int? = if case .file(let watch) = storage.news { watch.version } else { nil }
    if let version, version == seen { return seen }
    do {
      let rotation = try await turn()
      let isRegistered = state.withLock { state in
        state.told = nil
        return !isServer || state.registration != nil
      }
      return rotation.isUnderWay || !isRegistered ? Int.min : version ?? Int.min
    } catch {
      guard error.code != .storageClosed else { return nil }
      if error.code == .serverKeyIsAnother, isNew(error.message) {
        logger.critical("The server's key was retired meanwhile. Start the server with the new one.")
      }
      return Int.min
    }
  }

  /// Whether that was not logged last.
  private func isNew(_ message: String) -> Bool {
    state.withLock { state in
      defer { state.told = message }
      return state.told != message
    }
  }
}
