import Foundation
internal import GRDB
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// Stores the server's users, sessions, tokens and failure counts in one SQLite database.
///
/// In a folder it is a file in write-ahead mode with `synchronous=FULL`: a change that a call has confirmed survives a
/// crash of the process and of the machine. Several processes may use one folder; a writer waits for another for up to
/// five seconds. In memory it exists as long as the value.
///
/// A call that has begun is completed, even if its caller is cancelled: cancelling a request never leaves half of its
/// changes and never looks like a failure of the storage.
package final class ServerStorage: Sendable {
  private let writer: any DatabaseWriter
  /// Nil in memory, where no other process can write.
  let watch: CommitWatch?
  private let calls = StorageUse()
  private let companions = Locked<[ObjectIdentifier: any StorageCompanion]>([:])
  private let group: CommitGroup
  private let habits: StorageHabits
  /// The key beside the database, shared by every process that uses the folder.
  let key: ServerKey
  /// The folder of the files; nil in memory.
  let folder: URL?

  /// The name of the database's file in its folder.
  package static let fileName = "ostiary.sqlite"

  private init(
    _ writer: any DatabaseWriter, folder: URL? = nil, path: String? = nil, key: ServerKey = .temporary(),
    migrations: [StorageMigration],
    habits: StorageHabits
  ) throws {
    self.writer = writer
    self.key = key
    self.folder = folder
    self.habits = habits
    group = CommitGroup(habits: habits)
    // FULL, not the NORMAL that GRDB sets when it opens a file in write-ahead mode (so it is set here, afterwards): a
    // power failure must not undo a confirmed log-out or failure count.
    try writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
    try Schema.migrate(writer, with: migrations)
    watch = try path.map { try CommitWatch(path: $0) }
  }

  /// Opens the database in `folder`.
  /// - Parameters:
  ///   - migrations: make the tables.
  ///   - busyTimeout: seconds to wait for another process that writes.
  convenience init(
    folder: URL, migrations: [StorageMigration], busyTimeout: TimeInterval = 5, habits: StorageHabits = .standard
  ) throws(ServerError) {
    let file = try Self.prepare(folder)
    do {
      try self.init(
        try DatabasePool(path: file.path, configuration: Self.configuration(busyTimeout)), folder: folder,
        path: file.path,
        key: try .load(from: folder), migrations: migrations, habits: habits)
    } catch {
      throw .storage(error)
    }
  }

  /// Makes a database in memory, which exists as long as the value.
  convenience init(inMemory migrations: [StorageMigration], habits: StorageHabits = .standard) throws(ServerError) {
    do {
      try self.init(
        try DatabaseQueue(configuration: Self.configuration(0)), migrations: migrations, habits: habits)
    } catch {
      throw .storage(error)
    }
  }

  /// Closes the database when the calls under way are done. Every later call throws `storageClosed`. A second call does
  /// nothing.
  package func close() async throws(ServerError) {
    guard await calls.close() else { return }
    for companion in companions.withLock({ $0.values.map { $0 } }) { companion.forgetAll() }
    watch?.close()
    do {
      // The file alone then has all data, even if the files beside it are lost. A failure here is no error.
      _ = try? await writer.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      try writer.close()
    } catch {
      throw .storage(error)
    }
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

  /// A number that changes with every commit, in this process or another; nil if it can't be read. In memory it never
  /// changes: there the process notifies its own caches.
  var version: Int? { watch.map(\.version) ?? 0 }

  /// Whether it exists as long as the value, and no other process can write.
  var isInMemory: Bool { watch == nil }

  /// Reads in one snapshot.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws(ServerError) -> Value {
    try await finish { [habits] writer in try await writer.read { try habits.read(in: $0, body) } }
  }

  /// Reads in one snapshot, for queries that may take long: the database stops when the calling task is cancelled, or when `time`
  /// is over.
  /// - Throws: `CancellationError`, or ``ServerError`` `workTooLong` or a storage code.
  func read<Value: Sendable>(
    within time: Duration, _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    let value = try await calls.use { [writer, habits] () async throws(ServerError) -> Value? in
      do {
        return try await withThrowingTaskGroup(of: Value?.self) { group in
          group.addTask { try await writer.read { try habits.read(in: $0, body) } }
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
    guard let value else { throw CancellationError() }
    return value
  }

  /// Writes in one transaction, one writer at a time; durable when it returns. `body` may be run again after its changes were
  /// rolled back, and so must only read and write the database.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws(ServerError) -> Value {
    try await finish { [habits] writer in try await writer.write { try habits.write(in: $0, body) } }
  }

  /// Writes in one transaction, which concurrent writes may share; durable when it returns. For frequent writes. If
  /// `body` throws, its own changes are rolled back. It may be run again, like that of ``write(_:)``.
  func writeTogether<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws(ServerError) -> Value {
    try await calls.use { [writer, group] () async throws(ServerError) in
      do {
        return try await group.write(to: writer, body)
      } catch {
        throw .storage(error)
      }
    }
  }

  /// Runs `call` in a task that is never cancelled.
  private func finish<Value: Sendable>(
    _ call: @escaping @Sendable (any DatabaseWriter) async throws -> Value
  ) async throws(ServerError) -> Value {
    try await calls.use { [writer] () async throws(ServerError) in
      do {
        return try await Task { try await call(writer) }.value
      } catch {
        throw .storage(error)
      }
    }
  }

  private static func configuration(_ busyTimeout: TimeInterval) -> GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.busyMode = .timeout(busyTimeout)
    configuration.foreignKeysEnabled = true
    configuration.prepareDatabase { db in
      // Deleted content is overwritten: an old hash does not stay in the file.
      try db.execute(sql: "PRAGMA secure_delete = ON")
    }
    return configuration
  }

  /// Makes the folder and the file with the modes they must have; SQLite gives its other files the mode of the first.
  private static func prepare(_ folder: URL) throws(ServerError) -> URL {
    let files = FileManager.default
    var isFolder = ObjCBool(false)
    if files.fileExists(atPath: folder.path, isDirectory: &isFolder) {
      guard isFolder.boolValue else { throw denied("\(folder.path) is not a folder.") }
      let mode = (try? files.attributesOfItem(atPath: folder.path)[.posixPermissions] as? NSNumber)?.intValue ?? 0
      guard mode & 0o022 == 0 else {
        throw denied("Others may write to the folder \(folder.path).", advice: "Run chmod 700 on it.")
      }
    } else {
      do {
        try files.createDirectory(
          at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: NSNumber(value: 0o700)])
      } catch {
        throw denied("The folder \(folder.path) can't be made.", underlying: error)
      }
    }
    let file = folder.appendingPathComponent(fileName)
    do {
      try PrivateFile(url: file).create()
    } catch {
      throw denied("\(file.path) can't be made, or kept from others.", underlying: error)
    }
    return file
  }

  private static func denied(
    _ message: String, advice: String = "Check who owns it.", underlying: (any Error)? = nil
  ) -> ServerError {
    ServerError(.storageDenied, message, advice: advice, underlying: underlying)
  }
}
