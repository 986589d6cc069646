package import Foundation
internal import OstiaryCore
internal import OstiaryPostgreSQL

/// Stores the server's users, sessions, tokens and failure counts in one database: SQLite's, in a folder or in memory, or
/// PostgreSQL's. Several processes may use one folder or one database of PostgreSQL.
///
/// A call that has begun is completed, even if its caller is cancelled: cancelling a request never leaves half of its
/// changes and never looks like a failure of the storage.
package final class ServerStorage: Sendable {
  private let engine: any StorageEngine
  private let calls = StorageUse()
  private let companions = Locked<[ObjectIdentifier: any StorageCompanion]>([:])
  private let metrics = Locked<StorageMetrics?>(nil)
  /// The key beside the database, shared by every process that uses it; and another one while it is changed.
  let key: KeyRing
  /// The folder of the files; nil in memory.
  let folder: URL?
  /// How long a server that is not seen is waited for when the key is changed, in seconds.
  let keyPatience = Locked(KeyRotation.standardPatience)
  /// How long each stage of such a change lasts at least, in seconds.
  let keyNotice = Locked(KeyRotation.standardNotice)

  /// The name of SQLite's file in its folder.
  package static let fileName = SQLiteEngine.fileName

  init(_ engine: any StorageEngine, key: KeyRing, folder: URL?) {
    self.engine = engine
    self.key = key
    self.folder = folder
    guard case .leases(let keeper) = engine.news else { return }
    keeper.attach { [weak self] things in
      for companion in self?.companions.withLock({ $0.values.map { $0 } }) ?? [] { companion.forget(things) }
    }
  }

  /// Opens SQLite's database in `folder`.
  /// - Parameters:
  ///   - migrations: make the tables.
  ///   - busyTimeout: seconds to wait for another process that writes; nil for what the habits say.
  ///   - keys: the places that may have the server's key.
  convenience init(
    folder: URL, migrations: [StorageMigration], busyTimeout: TimeInterval? = nil,
    habits: StorageHabits = .standard, keys: ServerKeySources = ServerKeySources()
  ) throws(ServerError) {
    let file = try SQLiteEngine.prepareFile(in: folder)
    let key = try keys.load(from: folder)
    let ring = KeyRing(key)
    do {
      let engine = try SQLiteEngine(
        path: file.path, migrations: migrations, busyTimeout: busyTimeout ?? habits.busyTimeout, habits: habits,
        opening: KeyOpening(ring, keys, migrations))
      self.init(engine, key: ring, folder: folder)
    } catch {
      throw Self.failure(error, key)
    }
  }

  /// Makes a database of SQLite in memory, which exists as long as the value.
  convenience init(inMemory migrations: [StorageMigration], habits: StorageHabits = .standard) throws(ServerError) {
    do {
      self.init(try SQLiteEngine(inMemory: migrations, habits: habits), key: .temporary(), folder: nil)
    } catch {
      throw .storage(error)
    }
  }

  /// Opens a database of PostgreSQL. Its folder may have the key, and has the files that doors keep.
  convenience init(
    _ database: PostgreSQLDatabase, migrations: [StorageMigration], habits: StorageHabits = .standard,
    keys: ServerKeySources = ServerKeySources()
  ) throws(ServerError) {
    try DataFolder.prepare(database.folder)
    let key = try keys.load(from: database.folder)
    let ring = KeyRing(key)
    do {
      let engine = try PostgreSQLEngine(
        database, migrations: migrations, habits: habits, opening: KeyOpening(ring, keys, migrations))
      self.init(engine, key: ring, folder: database.folder)
    } catch {
      throw Self.failure(error, key)
    }
  }

  /// A key that was made for this database, and is not its key, would be in the way of the right one.
  private static func failure(_ error: any Error, _ key: ServerKey) -> ServerError {
    let error = ServerError.storage(error)
    if [.serverKeyIsAnother, .storageUnavailable, .storageDenied].contains(error.code) { key.removeIfNew() }
    return error
  }

  /// Measures all later calls.
  func measure(with metrics: StorageMetrics) {
    self.metrics.withLock { $0 = metrics }
    keeper?.measure(with: metrics.leases)
  }

  /// The connections of an engine that has several.
  var pool: StoragePool? { engine.pool }

  /// Closes the database when the calls under way are done. Every later call throws `storageClosed`. A second call does
  /// nothing.
  package func close() async throws(ServerError) {
    guard await calls.close() else { return }
    for companion in companions.withLock({ $0.values.map { $0 } }) { companion.forgetAll() }
    do { try await engine.close() } catch { throw .storage(error) }
  }

  /// The one value of its type that all services over this storage share.
  /// - Parameter make: makes the value for the first service. Of two concurrent calls the value of one is used.
  func shared<Companion: StorageCompanion>(_ make: () -> Companion) -> Companion {
    let type = ObjectIdentifier(Companion.self)
    if let known = companions.withLock({ $0[type] as? Companion }) { return known }
    let new = make()
    return companions.withLock { companions in
      if let known = companions[type] as? Companion { return known }
      companions[type] = new
      return new
    }
  }

  /// The key as a place for another storage that is to have the same.
  package var keys: ServerKeySources { ServerKeySources(key.current) }

  /// Stores the key in another data folder, if it is in a file of this one's folder and the other one has no key.
  package func storeKey(in other: URL) throws {
    guard let folder, key.origin.file == folder.appendingPathComponent(ServerKey.fileName) else { return }
    try key.current.store(in: other)
  }

  /// How to find out that another process has committed.
  var news: StorageNews { engine.news }

  /// What entries of caches are compared with, where each commit of another process may have changed what they hold; nil if it can't
  /// be had: nothing is believed then.
  var stamp: CacheStamp? { engine.news.stamp }

  /// Whether several servers may use the database at once, each on its own machine and with a folder of its own.
  var isShared: Bool { engine.news.isOnServer }

  /// Reads in one snapshot.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws(ServerError) -> Value {
    try await use(.read) { engine in try await engine.read(body) }
  }

  /// Reads in one snapshot, for queries that may take long: the database stops when the calling task is cancelled, or when `time`
  /// is over.
  /// - Throws: `CancellationError`, or ``ServerError`` `workTooLong` or a storage code.
  func read<Value: Sendable>(
    within time: Duration, _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    let value = try await watched(.longRead, cancelled: { $0 == nil }) {
      [calls, engine] () async throws(ServerError) -> Value? in
      try await calls.use { () async throws(ServerError) -> Value? in
        do {
          return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await engine.readUntilCancelled(body) }
            group.addTask {
              try await Task.sleep(for: time)
              return nil
            }
            // The task group waits for the reader: an interrupted statement ends quickly.
            defer { group.cancelAll() }
            guard let value = try await group.next() ?? nil else {
              throw ServerError(.workTooLong, "That took too long.", advice: "Ask for less.")
            }
            return value
          }
        } catch {
          if Task.isCancelled { return nil }
          throw .storage(error)
        }
      }
    }
    guard let value else { throw CancellationError() }
    return value
  }

  /// Writes in one transaction; durable when it returns. `body` may be run again after its changes were rolled back, and so
  /// must only read and write the database.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws(ServerError) -> Value {
    try await use(.write) { engine in try await engine.write(body) }
  }

  /// Writes in one transaction, which concurrent writes may share; durable when it returns. For frequent writes. If
  /// `body` throws, its own changes are rolled back. It may be run again, like that of ``write(_:)``.
  func writeTogether<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws(ServerError) -> Value {
    try await use(.sharedWrite) { engine in try await engine.writeTogether(body) }
  }

  /// Writes in one transaction that ends something, or changes what caches hold; durable, and known to every server, when it returns.
  /// It runs beside others of its kind: `body` must lock the rows by which it decides (``StorageStatement/locking(_:)``). It may be
  /// run again, like that of ``write(_:)``.
  /// - Parameter together: whether concurrent writes may share the transaction, as in ``writeTogether(_:)``.
  func writeEnd<Value: Sendable>(
    together: Bool = false, _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws(ServerError) -> Value {
    try await use(.end) { engine in try await engine.writeEnd(together: together, body) }
  }

  /// Writes in one transaction that decides by rows which it has locked before it reads them; durable when it returns. It waits for others
  /// that change these rows, where ``write(_:)`` would be run again: for rows that many clients change. What `body` reads without a lock
  /// may be old when it commits. It may be run again, like that of ``write(_:)``.
  func writeLocking<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws(ServerError) -> Value {
    try await use(.write) { engine in try await engine.writeEnd(together: false, body) }
  }

  /// Writes in one transaction that may take long; durable when it returns. `body` is run once.
  func writeOnce<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws(ServerError) -> Value {
    try await use(.longWrite) { engine in try await engine.writeOnce(body) }
  }

  private func use<Value: Sendable>(
    _ kind: StorageCallKind, _ call: (any StorageEngine) async throws -> Value
  ) async throws(ServerError) -> Value {
    try await watched(kind) { [calls, engine] () async throws(ServerError) in
      try await calls.use { () async throws(ServerError) in
        do { return try await call(engine) } catch { throw .storage(error) }
      }
    }
  }

  /// Measures a call.
  /// - Parameter isCancelled: Whether a value is that of a call whose caller was cancelled.
  private func watched<Value: Sendable>(
    _ kind: StorageCallKind, cancelled isCancelled: (Value) -> Bool = { _ in false },
    _ body: () async throws(ServerError) -> Value
  ) async throws(ServerError) -> Value {
    let call = StorageCall(kind, metrics.withLock { $0 }, isPostgreSQL: engine.pool != nil)
    do {
      let value = try await StorageCall.$current.withValue(call) { try await body() }
      call.end(isCancelled(value) ? .cancelled : .done)
      return value
    } catch {
      let error = ServerError.storage(error)
      call.end(StorageOutcome(error))
      throw error
    }
  }
}
