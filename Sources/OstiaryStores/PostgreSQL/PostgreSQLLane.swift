#if PostgreSQL
  import OstiaryCore

  /// A place for one connection: made when it is needed, replaced when the server has ended it, used by one task at a
  /// time.
  final class PostgreSQLLane: Sendable {
    private let connect: @Sendable () async throws(OstiaryError) -> PostgreSQLConnection
    private let lane = AsyncSerialQueue()
    private let current = Locked<PostgreSQLConnection?>(nil)
    private let users = Locked(0)

    init(_ connect: @escaping @Sendable () async throws(OstiaryError) -> PostgreSQLConnection) {
      self.connect = connect
    }

    /// How many tasks use it or wait for it.
    var load: Int { users.withLock { $0 } }

    /// Runs `body` with a live connection when everything before it is done. A connection on which something failed
    /// is given up if it can't be used any more.
    func use<Result: Sendable>(
      _ body: @Sendable (PostgreSQLConnection) async throws(OstiaryError) -> Result
    ) async throws(OstiaryError) -> Result {
      try await inTurn { () throws(OstiaryError) in
        let connection = try await self.live()
        return try await self.run(body, connection)
      }
    }

    /// Runs `body` with `connection`, or not at all when that has ended.
    func use<Result: Sendable>(
      only connection: PostgreSQLConnection,
      _ body: @Sendable (PostgreSQLConnection) async throws(OstiaryError) -> Result
    ) async throws(OstiaryError) -> Result {
      try await inTurn { () throws(OstiaryError) in
        guard self.current.withLock({ $0 === connection }), connection.isAlive else { throw .postgreSQLAccessLost }
        return try await self.run(body, connection)
      }
    }

    private func live() async throws(OstiaryError) -> PostgreSQLConnection {
      if let connection = current.withLock({ $0 }), connection.isAlive { return connection }
      current.withLock { $0 = nil }
      let connection = try await connect()
      current.withLock { $0 = connection }
      return connection
    }

    private func run<Result: Sendable>(
      _ body: @Sendable (PostgreSQLConnection) async throws(OstiaryError) -> Result, _ connection: PostgreSQLConnection
    ) async throws(OstiaryError) -> Result {
      do {
        return try await body(connection)
      } catch {
        // Also after a time-out, when an answer may still come that no task waits for.
        if !connection.isAlive { current.withLock { $0 = nil } }
        throw error
      }
    }

    private func inTurn<Result: Sendable>(
      _ body: @Sendable () async throws(OstiaryError) -> Result
    ) async throws(OstiaryError) -> Result {
      users.withLock { $0 += 1 }
      defer { users.withLock { $0 -= 1 } }
      // `rethrows` forgets which error it is.
      let outcome = await lane.run { () -> Swift.Result<Result, OstiaryError> in
        do throws(OstiaryError) { return .success(try await body()) } catch { return .failure(error) }
      }
      return try outcome.get()
    }
  }
#endif
