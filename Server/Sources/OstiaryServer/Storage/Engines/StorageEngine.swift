/// A database that stores the server's data. `ServerStorage` is its only caller.
///
/// Bodies are run on threads of the engine, never on those of Swift's tasks. A body that writes may be run again after its
/// changes were rolled back. Errors are those of the body, or of the engine; see ``ServerError/storage(_:)``.
protocol StorageEngine: Sendable {
  /// How to find out that another process has committed.
  var news: StorageNews { get }

  /// Its connections, where it has several and calls may wait for one.
  var pool: StoragePool? { get }

  /// Reads in one snapshot.
  func read<Value: Sendable>(_ body: @escaping @Sendable (StorageConnection) throws -> Value) async throws -> Value

  /// Reads in one snapshot. The database stops when the calling task is cancelled.
  func readUntilCancelled<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value

  /// Writes in one transaction; durable when it returns.
  func write<Value: Sendable>(_ body: @escaping @Sendable (StorageConnection) throws -> Value) async throws -> Value

  /// Writes in one transaction, which concurrent writes may share; durable when it returns.
  func writeTogether<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value

  /// Writes in one transaction that ends something, or changes what caches hold, and has locked the rows by which it decides; durable,
  /// and known to every server, when it returns.
  /// - Parameter together: whether concurrent writes may share the transaction.
  func writeEnd<Value: Sendable>(
    together: Bool, _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value

  /// Writes in one transaction that may take long. `body` is run once.
  func writeOnce<Value: Sendable>(_ body: @escaping @Sendable (StorageConnection) throws -> Value) async throws -> Value

  /// Ends all connections. No call is under way, and none follows.
  func close() async throws
}

extension StorageEngine {
  var pool: StoragePool? { nil }
}

/// How a process finds out that another one has committed to its database.
enum StorageNews: Sendable {
  /// No other process can write: the process notifies its own caches.
  case ownOnly
  /// Each commit changes a number in the database's file.
  case file(CommitWatch)
  /// The servers agree by leases. Without one it has to ask: nothing that it has cached is believed.
  case leases(LeaseKeeper)

  /// Whether the database is on a server, which several processes use at once.
  var isOnServer: Bool { if case .leases = self { true } else { false } }

  /// What entries of caches that are valid for any commit are compared with; nil if that is not known.
  ///
  /// It never changes where no other process can write: there the process notifies its own caches.
  var stamp: CacheStamp? {
    switch self {
    case .ownOnly: CacheStamp(0)
    case .file(let watch): watch.version.map { CacheStamp(UInt64(bitPattern: Int64($0))) }
    case .leases(let keeper): keeper.stamp
    }
  }
}
