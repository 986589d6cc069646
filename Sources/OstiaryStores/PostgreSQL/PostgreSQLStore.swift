#if PostgreSQL
  public import Foundation
  public import OstiaryCore

  /// Keeps sessions in a PostgreSQL database (12 or later), so that many processes and machines share them.
  ///
  /// - **Durable.** A save that returned has been committed with `synchronous_commit` on; the server's setting does not
  ///   matter.
  /// - **Shared.** Comparing and saving is one statement. ``withExclusiveAccess(to:patience:_:)`` holds among all machines
  ///   (session-level advisory locks). It ends when the holder's connection does: at once when its process dies, after
  ///   some 25 seconds when its machine vanishes.
  /// - **Fenced.** The holder of exclusive access writes through the connection that holds the lock. If that is lost, a
  ///   change that says exactly what it replaces is made by another connection at once, because what a server has given
  ///   must not be lost with it; one that would replace anything fails, before anything has been written.
  /// - **Frugal.** A renewal costs three round trips: lock and read, write, unlock. One connection holds the locks of all
  ///   accounts, one listens, the others read and write.
  /// - **Heard of.** What another machine stores is announced (`NOTIFY`), so that ``stamp(of:)`` can tell without a
  ///   round trip. A removal waits until every other store has heard of it: after a sign-out that has returned, no
  ///   machine shows the session to its server again. A machine that is stopped is waited for 2 seconds, one that is
  ///   cut off has no good stamp after 10. A save is heard of as soon as news travels.
  /// - **Honest.** A server that is down, full, read-only or slow is *unavailable*, never *absent*. When it is back, so is
  ///   the store.
  ///
  /// The table `ostiary_sessions` is created when it is not there. Between the store and the server there must be no
  /// pooler that lends connections by transaction or statement (PgBouncer's `transaction` mode): it would lose the locks.
  ///
  /// Needs the package trait `PostgreSQL`.
  ///
  /// - Important: Sessions are written as they are, **not encrypted**. Seal them by wrapping this store.
  public final class PostgreSQLStore: SessionStore {
    private let statements: Result<PostgreSQLStatements, OstiaryError>
    private let line: KeyedAsyncLock
    private let clock: any SessionClock
    /// Less than an answer may take: waiting for a stopped listener must not cost the remover its connection.
    private let patienceWithListeners: Duration
    /// Holds the locks.
    private let locks: PostgreSQLLane
    /// For everything else.
    private let lanes: [PostgreSQLLane]
    /// Hears what others do.
    private let listener: PostgreSQLListener?
    /// Making one costs more than all the rest of a stamp.
    private let places = Locked<[SessionKey: PostgreSQLPlace]>([:])

    /// Makes a store. Nothing is sent before it is used.
    /// - Parameters:
    ///   - connection: a connection string or URI as libpq takes it (PostgreSQL, 34.1.1); empty for what the `PG…`
    ///     variables of the environment say. It is never shown.
    ///   - table: at most 63 small letters, digits and underscores. Another schema is chosen in the connection string
    ///     (`options=-csearch_path=…`).
    ///   - connections: how many to open at most, two at least: one for the locks, and one that listens when a session
    ///     manager uses the store. Where there are no others, the locks' does the rest.
    ///   - timeout: how long connecting, and each answer, may take.
    ///   - clock: measures patience.
    public convenience init(
      _ connection: Secret, table: String = "ostiary_sessions", connections: Int = 4, timeout: Duration = .seconds(10),
      clock: any SessionClock = .system
    ) {
      self.init(
        connection, table: table, connections: connections, timeout: timeout, pulse: .seconds(4), clock: clock)
    }

    /// Makes a store that asks its listening connection as often whether it is good, for tests.
    package init(
      _ connection: Secret, table: String = "ostiary_sessions", connections: Int = 4, timeout: Duration = .seconds(10),
      pulse: Duration, clock: any SessionClock = .system
    ) {
      let statements = Result { () throws(OstiaryError) in try PostgreSQLStatements(table: table) }
      let hasTable = Locked(false)
      let connect = { @Sendable () async throws(OstiaryError) in
        let statements = try statements.get()
        let opened = try await PostgreSQLConnection.open(connection, timeout: timeout)
        if !hasTable.withLock({ $0 }) {
          if try await !opened.query(statements.exists, []).isTrue { try await opened.send(statements.create) }
          hasTable.withLock { $0 = true }
        }
        return opened
      }
      self.statements = statements
      self.clock = clock
      patienceWithListeners = min(.seconds(2), timeout / 2)
      line = KeyedAsyncLock(clock: clock)
      locks = PostgreSQLLane(connect)
      lanes = (2..<max(2, connections)).map { _ in PostgreSQLLane(connect) }
      listener = (try? statements.get()).map { statements in
        PostgreSQLListener(statements, pulse: pulse) { () async throws(OstiaryError) in
          try await PostgreSQLConnection.open(connection, timeout: timeout)
        }
      }
    }

    deinit {
      listener?.end()
    }

    // MARK: SessionStore

    public func load(_ key: SessionKey) async -> StoreReading {
      if let access = access(to: key), let reading = access.takeReading(at: stampIfWanted(of: key)) { return reading }
      do {
        let statements = try statements.get()
        let rows = try await change(key, .nothing, statements.load, [PostgreSQLStatements.digest(key)]).result
        return rows.bytes.first.map(StoreReading.present) ?? .absent
      } catch {
        return .unavailable(error)
      }
    }

    public func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
      _ = try await saveStamped(data, for: key, replacing: expected)
    }

    public func saveStamped(
      _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
    ) async throws -> StoreStamp? {
      if let stamp = access(to: key)?.stampIfNothingChanges(data, replacing: expected) { return stamp }
      let id = UInt64.random(in: .min ... .max)
      listener?.begin(id)
      do {
        try await write(data, key, expected, isEnded: false, id: id)
      } catch {
        listener?.end(id, at: place(of: key), isSaved: false)
        throw error
      }
      let stamp = listener?.end(id, at: place(of: key), isSaved: true)
      if stamp != nil { await listener?.hear(id) }
      return stamp
    }

    public func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
      try await endOrRemove(key, with: entry, ifHolding: expected) {
        access(to: key)?.forgetReading()
        let id = UInt64.random(in: .min ... .max)
        try await write(entry, key, expected, isEnded: true, id: id)
        try await awaitListeners(id)
      }
    }

    /// The lock is lost with its connection.
    public var exclusiveAccessCanBeLost: Bool { true }

    private func write(
      _ data: Data, _ key: SessionKey, _ expected: StoreExpectation, isEnded: Bool, id: UInt64
    ) async throws {
      let (sql, parameters) = try statements.get().save(data, key, replacing: expected, isEnded: isEnded, id: id)
      let (result, mayBeSecond) = try await change(key, expected, sql, parameters)
      guard result.count == 0 else { return }
      // The connection broke before it could be heard that the change was made.
      if mayBeSecond, await load(key) == .present(data) { return }
      throw OstiaryError.storeConflict
    }

    /// Makes a change with the connection that holds the lock, where there is one, or with another. Where it breaks,
    /// the change is made once more by another, unless it doesn't say what it replaces: another holder may have the
    /// lock by now.
    /// - Returns: also whether it may have been made before.
    private func change(
      _ key: SessionKey, _ expected: StoreExpectation, _ sql: String, _ parameters: [Data]
    ) async throws(OstiaryError) -> (result: PostgreSQLResult, mayBeSecond: Bool) {
      let query = { @Sendable (connection: PostgreSQLConnection) async throws(OstiaryError) in
        try await connection.query(sql, parameters)
      }
      do throws(OstiaryError) {
        return (try await use(key, query), false)
      } catch {
        guard let loss = error.underlying as? PostgreSQLConnectionLost, expected != .anything || access(to: key) == nil
        else { throw error }
        return (try await use(nil, query), loss.mayBeDone)
      }
    }

    public func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
      access(to: key)?.forgetReading()
      let id = UInt64.random(in: .min ... .max)
      let (sql, parameters) = try statements.get().remove(key, ifHolding: expected, id: id)
      let (result, mayBeSecond) = try await change(key, expected, sql, parameters)
      if result.isTrue(1) || mayBeSecond { try await awaitListeners(id) }
      guard result.isTrue else { throw OstiaryError.storeConflict }
    }

    public func stamp(of key: SessionKey) -> StoreStamp? {
      listener?.stamp(of: place(of: key))
    }

    private func place(of key: SessionKey) -> PostgreSQLPlace {
      if let place = places.withLock({ $0[key] }) { return place }
      let place = PostgreSQLPlace(of: key)
      places.withLock { places in
        if places.count >= 10_000 { places = [:] }
        places[key] = place
      }
      return place
    }

    /// Waits until the others have heard of a removal. Where that fails, they hear of it later.
    private func awaitListeners(_ id: UInt64) async throws(OstiaryError) {
      let statements = try statements.get()
      do throws(OstiaryError) {
        try await use(nil) { connection throws(OstiaryError) in
          _ = try await connection.send(statements.awaitListeners(id: id, limit: patienceWithListeners))
        }
      } catch {
        _ = try? await use(nil) { connection throws(OstiaryError) in
          try await connection.send(statements.stopWaiting(id: id))
        }
      }
    }

    public func accounts() async throws -> [SessionKey] {
      let sql = try statements.get().names
      let result = try await use(nil) { connection throws(OstiaryError) in try await connection.query(sql, []) }
      return result.bytes.map { SessionKey(String(decoding: $0, as: UTF8.self)) }.sorted { $0.name < $1.name }
    }

    public func removeAll() async throws {
      let id = UInt64.random(in: .min ... .max)
      let sql = try statements.get().removeAll(.removedAll(id: id))
      let result = try await use(nil) { connection throws(OstiaryError) in try await connection.query(sql, []) }
      if result.isTrue { try await awaitListeners(id) }
    }

    public func withExclusiveAccess<Result: Sendable>(
      to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
      let start = clock.now
      // First among the tasks that use this store: one connection that locks twice is let in twice.
      try await line.enter(key, patience: patience)
      defer { line.leave(key) }
      let access = try await lock(key, until: start.addingTimeInterval(patience.seconds))
      let result: Swift.Result<Result, any Error>
      do {
        result = .success(try await PostgreSQLAccess.$current.withValue(access, operation: body))
      } catch {
        result = .failure(error)
      }
      await unlock(access)
      return try result.get()
    }

    // MARK: Locks

    /// Asks until it gets the lock. Only another process makes it ask twice; that one can't be waited for without
    /// blocking the connection.
    private func lock(_ key: SessionKey, until deadline: Date) async throws -> PostgreSQLAccess {
      let sql = try statements.get().lockAndLoad(key)
      var pause = 0.004
      while true {
        let stamp = stampIfWanted(of: key)
        let access = try await locks.use { [locks] connection throws(OstiaryError) -> PostgreSQLAccess? in
          let answers: [PostgreSQLResult]
          do throws(OstiaryError) {
            answers = try await connection.send(sql)
          } catch {
            // The lock may have been given all the same.
            await self.unlock(PostgreSQLAccess(key, locks, connection, nil, isWritable: false), inTurn: true)
            throw error
          }
          guard answers.count == 2, answers[0].isTrue else { return nil }
          return PostgreSQLAccess(
            key, locks, connection, answers[1].bytes.first, isWritable: answers[0].isTrue(1), stamp: stamp)
        }
        if let access {
          guard !Task.isCancelled else {
            await unlock(access)
            throw CancellationError()
          }
          return access
        }
        let left = deadline.timeIntervalSince(clock.now)
        guard left > 0 else { throw OstiaryError.storeBusy }
        try await clock.sleep(for: .seconds(min(left, pause * Double.random(in: 0.5...1.5))))
        pause = min(pause * 2, 0.1)
      }
    }

    /// Gives a lock back. Where that fails the connection is gone, and the lock with it.
    private func unlock(_ access: PostgreSQLAccess, inTurn: Bool = false) async {
      guard let sql = try? statements.get().unlock(access.key) else { return }
      if inTurn {
        _ = try? await access.connection.query(sql, [])
      } else {
        _ = try? await access.lane.use(only: access.connection) { connection throws(OstiaryError) in
          try await connection.query(sql, [])
        }
      }
    }

    /// The stamp, if a caller has asked for one before.
    private func stampIfWanted(of key: SessionKey) -> StoreStamp? {
      listener?.isWanted == true ? stamp(of: key) : nil
    }

    private func access(to key: SessionKey) -> PostgreSQLAccess? {
      PostgreSQLAccess.current(to: key, locks)
    }

    /// Runs `body` with the connection that holds the key's lock, if this task has exclusive access, or with another.
    private func use<Value: Sendable>(
      _ key: SessionKey?, _ body: @Sendable (PostgreSQLConnection) async throws(OstiaryError) -> Value
    ) async throws(OstiaryError) -> Value {
      if let key, let access = access(to: key) {
        return try await locks.use(only: access.connection, body)
      }
      let lane = lanes.min { $0.load < $1.load } ?? locks
      return try await lane.use(body)
    }
  }

  extension SessionStore where Self == PostgreSQLStore {
    /// A store in a PostgreSQL database. See ``PostgreSQLStore/init(_:table:connections:timeout:clock:)``.
    public static func postgreSQL(_ connection: Secret) -> PostgreSQLStore { PostgreSQLStore(connection) }
  }
#endif
