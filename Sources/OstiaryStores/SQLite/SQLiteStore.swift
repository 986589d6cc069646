#if SQLite
  public import Foundation
  internal import GRDB
  public import OstiaryCore

  /// Keeps sessions in an SQLite database, for this user alone, safe against crashes and other processes.
  ///
  /// - **Durable.** Write-ahead log with `synchronous=FULL`: a save that returned survives the power.
  /// - **Private.** The folder gets the rights 0700 and the files in it 0600.
  /// - **Shared.** Comparing and saving is one statement. ``withExclusiveAccess(to:patience:_:)`` holds among
  ///   processes; it locks a small file for each key beside the database (`flock`), not the database: a write
  ///   transaction held while a session is renewed over the network would keep the writers of all other accounts
  ///   waiting. The holder also has the room on the disk that the next save takes.
  /// - **Honest.** Every session carries a digest. What was damaged is reported once and kept aside: a session in the
  ///   table `damaged`, a whole file as `….corrupt-<time>`. Before the store says for the first time that something is
  ///   absent, it checks the database as a whole (about a second for each 200 MB).
  ///
  /// The folder must be on a local disk: SQLite's log and the locks need its locks and shared memory.
  ///
  /// Needs the package trait `SQLite`.
  ///
  /// - Important: Sessions are written as they are, **not encrypted**. Seal them by wrapping this store.
  public final class SQLiteStore: SessionStore {
    /// The database's file.
    public let url: URL

    private let database: SQLiteDatabase
    private let log: StampedFile
    /// Gives exclusive access. It holds no session.
    private let locks: FileStore
    /// For those who have exclusive access.
    private let rooms = Locked<[SessionKey: ReservedRoom]>([:])
    /// The largest session that has been read or written here, in bytes.
    private let largest = Locked(0)

    /// Makes a store in the database `url`, which is created when something is first written.
    /// - Parameters:
    ///   - url: a file in a folder for nothing else.
    ///   - busyTimeout: how long a change waits while another process writes.
    ///   - clock: measures patience, and dates what was damaged.
    public init(at url: URL, busyTimeout: Duration = .seconds(5), clock: any SessionClock = .system) {
      self.url = url
      let path = url.absoluteURL.path(percentEncoded: false)
      database = SQLiteDatabase(path: path, busyTimeout: busyTimeout, clock: clock)
      log = StampedFile(path + "-wal")
      locks = FileStore(folder: URL(filePath: path + "-locks", directoryHint: .isDirectory), clock: clock)
    }

    public func load(_ key: SessionKey) async -> StoreReading {
      do {
        switch try await database.read({ try SQLiteSessions.load($0, key) }) {
        case nil, .absent:
          try await database.verify()
          return .absent
        case .present(let data):
          try noteSize(data, key)
          return .present(data)
        case .damaged: return try await keepAside(key)
        }
      } catch {
        return .unavailable(error)
      }
    }

    private func keepAside(_ key: SessionKey) async throws(OstiaryError) -> StoreReading {
      let now = database.clock.now
      switch try await database.write({ try SQLiteSessions.keepDamagedAside($0, key, at: now) }) {
      case nil, .absent: return .absent
      case .present(let data): return .present(data)
      case .damaged:
        return .unavailable(
          OstiaryError(
            .storeCorrupt,
            "The session of \(key) in \(database.path) is damaged. It has been kept in the table damaged."))
      }
    }

    public func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
      try await write(data, key, expected, isEnded: false)
    }

    public func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
      try await endOrRemove(key, with: entry, ifHolding: expected) {
        try await write(entry, key, expected, isEnded: true)
      }
    }

    private func write(
      _ data: Data, _ key: SessionKey, _ expected: StoreExpectation, isEnded: Bool
    ) async throws(OstiaryError) {
      let saved = try await withRoom(key) { () throws(OstiaryError) in
        try await database.write(creating: true) {
          try SQLiteSessions.save($0, data, key, replacing: expected, isEnded: isEnded)
        }
      }
      guard saved == true else { throw .storeConflict }
    }

    public func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
      let removed = try await withRoom(key) { () throws(OstiaryError) in
        try await database.write { try SQLiteSessions.remove($0, key, ifHolding: expected) }
      }
      if removed == false { throw OstiaryError.storeConflict }
    }

    /// Every change of the database goes to its log first, so the log's file tells.
    public func stamp(of key: SessionKey) -> StoreStamp? {
      log.take()
    }

    public func accounts() async throws -> [SessionKey] {
      try await database.verify()
      return try await database.read { try SQLiteSessions.keys($0) } ?? []
    }

    public func removeAll() async throws {
      _ = try await database.write { try SQLiteSessions.removeAll($0) }
      try await database.removeKeptAside()
    }

    public func withExclusiveAccess<Result: Sendable>(
      to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
      try await locks.withExclusiveAccess(to: key, patience: patience) {
        let room = try ReservedRoom(in: locks.folder.path(percentEncoded: false), roomNeeded())
        rooms.withLock { $0[key] = room }
        defer { rooms.withLock { $0[key] = nil } }
        return try await body()
      }
    }

    /// The lock is one on a file.
    public var exclusiveAccessCanBeLost: Bool { false }

    // MARK: Room

    /// What a save writes to the log: what is there is overwritten (`secure_delete`), and the tree's pages, the log's index
    /// and an empty database may be needed too.
    private func roomNeeded() -> Int { 4 * largest.withLock { $0 } + 160 * 1024 }

    private func noteSize(_ data: Data, _ key: SessionKey) throws(OstiaryError) {
      largest.withLock { $0 = max($0, data.count) }
      try rooms.withLock({ $0[key] })?.grow(to: roomNeeded())
    }

    /// Changes something; where the disk is full, once more with the room that was reserved.
    private func withRoom<Value: Sendable>(
      _ key: SessionKey, _ change: () async throws(OstiaryError) -> Value
    ) async throws(OstiaryError) -> Value {
      do throws(OstiaryError) {
        return try await change()
      } catch {
        guard error.isSQLiteFull, let room = rooms.withLock({ $0[key] }), room.release() else { throw error }
        return try await change()
      }
    }
  }

  extension SessionStore where Self == SQLiteStore {
    /// A store in an SQLite database.
    public static func sqlite(at url: URL) -> SQLiteStore { SQLiteStore(at: url) }
  }
#endif
