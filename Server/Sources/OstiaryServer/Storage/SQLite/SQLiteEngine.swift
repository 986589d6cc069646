import Foundation
internal import GRDB
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// SQLite, in a file in write-ahead mode with `synchronous=FULL`, or in memory.
///
/// A change that a call has confirmed survives a crash of the process and of the machine. Several processes may use one file; a
/// writer waits for another for up to five seconds.
final class SQLiteEngine: StorageEngine {
  private let writer: any DatabaseWriter
  let news: StorageNews
  private let group: CommitGroup
  private let habits: StorageHabits

  private init(
    _ writer: any DatabaseWriter, path: String?, migrations: [StorageMigration], habits: StorageHabits,
    opening: any StorageOpening
  ) throws {
    self.writer = writer
    self.habits = habits
    group = CommitGroup(habits: habits)
    // FULL, not the NORMAL that GRDB sets when it opens a file in write-ahead mode (so it is set here, afterwards): a
    // power failure must not undo a confirmed log-out or failure count.
    try writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
    if opening.writesFirst {
      try writer.write { db in try opening.begin(in: StorageConnection(db)) }
    } else {
      try writer.read { db in try opening.begin(in: StorageConnection(db)) }
    }
    try Schema.migrate(writer, with: migrations)
    // Another program may hold the write lock for long: without need it is not taken.
    if try !writer.read({ db in try opening.isSettled(in: StorageConnection(db)) }) {
      try writer.write { db in try opening.settle(in: StorageConnection(db)) }
    }
    news = try path.map { .file(try CommitWatch(path: $0)) } ?? .ownOnly
  }

  /// Opens a file that exists.
  /// - Parameters:
  ///   - busyTimeout: seconds to wait for another process that writes.
  ///   - opening: is looked at when the tables are there.
  convenience init(
    path: String, migrations: [StorageMigration], busyTimeout: TimeInterval, habits: StorageHabits,
    opening: any StorageOpening
  ) throws {
    try self.init(
      try DatabasePool(path: path, configuration: Self.configuration(busyTimeout)), path: path, migrations: migrations,
      habits: habits, opening: opening)
  }

  /// Makes a database in memory, which exists as long as the value.
  convenience init(inMemory migrations: [StorageMigration], habits: StorageHabits) throws {
    try self.init(
      try DatabaseQueue(configuration: Self.configuration(0)), path: nil, migrations: migrations, habits: habits,
      opening: NoOpening())
  }

  func close() async throws {
    if case .file(let watch) = news { watch.close() }
    // The file alone then has all data, even if the files beside it are lost. A failure here is no error.
    _ = try? await writer.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    try writer.close()
  }

  func read<Value: Sendable>(_ body: @escaping @Sendable (StorageConnection) throws -> Value) async throws -> Value {
    try await uncancelled { [habits] writer in try await writer.read { try habits.read(in: $0, body) } }
  }

  func readUntilCancelled<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    try await writer.read { [habits] in try habits.read(in: $0, body) }
  }

  func write<Value: Sendable>(_ body: @escaping @Sendable (StorageConnection) throws -> Value) async throws -> Value {
    try await uncancelled { [habits] writer in try await writer.write { try habits.write(in: $0, body) } }
  }

  func writeOnce<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    try await uncancelled { writer in try await writer.write { try body(StorageConnection($0)) } }
  }

  func writeTogether<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    try await group.write(to: writer, body)
  }

  /// The file is of this machine: its other processes see each commit.
  func writeEnd<Value: Sendable>(
    together: Bool, _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    together ? try await writeTogether(body) : try await write(body)
  }

  /// Runs `call` in a task that is never cancelled.
  private func uncancelled<Value: Sendable>(
    _ call: @escaping @Sendable (any DatabaseWriter) async throws -> Value
  ) async throws -> Value {
    try await Task { [writer] in try await call(writer) }.value
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
}

extension SQLiteEngine {
  /// The name of the database's file in its folder.
  static let fileName = "ostiary.sqlite"

  /// Makes the folder and the file with the modes they must have; SQLite gives its other files the mode of the first.
  static func prepareFile(in folder: URL) throws(ServerError) -> URL {
    try DataFolder.prepare(folder)
    let file = folder.appendingPathComponent(fileName)
    do {
      try PrivateFile(url: file).create()
    } catch {
      throw DataFolder.denied("\(file.path) can't be made, or kept from others.", underlying: error)
    }
    return file
  }

  /// Refuses a file that another program has open, such as a server.
  ///
  /// Each connection to a file in write-ahead mode shares a lock of it for as long as it is open, and the mode is left by a connection
  /// that has the lock alone. The next one of a server sets it again.
  /// - Throws: `storageDenied`, and other errors of storages.
  static func demandAlone(in folder: URL) throws(ServerError) {
    let path = folder.appendingPathComponent(fileName).path
    guard FileManager.default.fileExists(atPath: path) else { return }
    var configuration = GRDB.Configuration()
    configuration.busyMode = .immediateError
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      _ = try queue.writeWithoutTransaction { db in try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") }
      try queue.close()
    } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
      throw ServerError(
        .storageDenied, "A server, or another program, uses the target.", advice: "Stop it, and begin again.")
    } catch {
      throw .storage(error)
    }
  }
}
