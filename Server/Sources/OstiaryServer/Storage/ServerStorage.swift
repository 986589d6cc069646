public import Foundation
internal import GRDB
internal import OstiaryPrivateFiles

/// Where the server keeps its users, sessions, tokens and failure counts: one SQLite database.
///
/// In a folder it is a file in write-ahead mode with `synchronous=FULL`: what a call has confirmed survives a crash of
/// the process and of the machine. Several processes may use one folder; a writer waits for another for up to five
/// seconds. In memory it lasts as long as the value.
///
/// A call once begun is finished, whoever loses interest in its result: cancelling a request never leaves half of it
/// behind and never looks like a fault of the storage.
public final class ServerStorage: Sendable {
  private let writer: any DatabaseWriter
  /// Nothing in memory, where nobody else can write.
  private let watch: CommitWatch?
  private let calls = StorageUse()
  /// The sessions last seen, shared by all that look them up or end them.
  let sessionCache: SessionCache
  /// The access tokens last seen, and the clients.
  let tokenCache: TokenCache
  let clientCache: ClientCache
  /// Whether what these two remember is true; every service that ends tokens says so here.
  let tokenFreshness: TokenFreshness
  /// When expired tokens were last looked for.
  let tokenHousekeeping = TokenHousekeeping()
  private let group = CommitGroup()
  /// The key beside the database, shared by every process that uses the folder.
  let key: ServerKey

  /// The name of the database's file in its folder.
  public static let fileName = "ostiary.sqlite"

  private init(_ writer: any DatabaseWriter, path: String? = nil, key: ServerKey = .temporary()) throws {
    self.writer = writer
    self.key = key
    sessionCache = SessionCache(capacity: 10_000)
    tokenCache = TokenCache(capacity: 50_000)
    clientCache = ClientCache(capacity: 10_000)
    // FULL, not the NORMAL that GRDB sets when it opens a file in write-ahead mode (so it is set here, afterwards): a
    // confirmed log-out or failure count must not come undone with the power.
    try writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
    try Schema.migrate(writer)
    watch = try path.map { try CommitWatch(path: $0) }
    tokenFreshness = TokenFreshness(watch: watch)
  }

  /// Opens the database in `folder`, which is made (mode 0700) if it does not exist. Files are made with mode 0600.
  /// - Throws: `storageDenied` if the folder can't be used or others may write to it, `storageCorrupt`,
  ///   `storageTooNew`, or another storage code.
  public convenience init(folder: URL) throws(ServerError) {
    try self.init(folder: folder, busyTimeout: 5)
  }

  /// - Parameter busyTimeout: seconds to wait for another process that writes.
  convenience init(folder: URL, busyTimeout: TimeInterval) throws(ServerError) {
    let file = try Self.prepare(folder)
    do {
      try self.init(
        try DatabasePool(path: file.path, configuration: Self.configuration(busyTimeout)), path: file.path,
        key: try .load(from: folder))
    } catch {
      throw .storage(error)
    }
  }

  /// A database in memory, gone with the value: for tests and demonstrations.
  public static func inMemory() throws(ServerError) -> ServerStorage {
    do {
      return try ServerStorage(try DatabaseQueue(configuration: configuration(0)))
    } catch {
      throw .storage(error)
    }
  }

  /// Closes the database when the calls under way are done. Every later call throws `storageClosed`. Closing again does
  /// nothing.
  public func close() async throws(ServerError) {
    guard await calls.close() else { return }
    sessionCache.removeAll()
    tokenCache.removeAll()
    clientCache.removeAll()
    watch?.close()
    do {
      // So that the file alone is the whole of it, whatever becomes of those beside it. Not worth a failure.
      _ = try? await writer.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      try writer.close()
    } catch {
      throw .storage(error)
    }
  }

  /// A number that is another when anybody may have written since, in this process or another; nothing if that can't be
  /// told. In memory it stays the same: there the process's own word counts.
  var version: Int? { watch.map(\.version) ?? 0 }

  /// Reads in one snapshot.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (GRDB.Database) throws -> Value
  ) async throws(ServerError) -> Value {
    try await finish { try await $0.read(body) }
  }

  /// Writes in one transaction, one writer at a time; durable when it returns.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (GRDB.Database) throws -> Value
  ) async throws(ServerError) -> Value {
    try await finish { try await $0.write(body) }
  }

  /// Writes in one transaction, which others that write at the same time may share; durable when it returns. For what
  /// is done often. If `body` throws, its own changes are undone. It may be called again after its changes were undone, and
  /// so must do nothing but read and write the database.
  func writeTogether<Value: Sendable>(
    _ body: @escaping @Sendable (GRDB.Database) throws -> Value
  ) async throws(ServerError) -> Value {
    try await calls.use { [writer, group] () async throws(ServerError) in
      do {
        return try await group.write(to: writer, body)
      } catch {
        throw .storage(error)
      }
    }
  }

  /// Runs `call` in a task that nobody cancels.
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
      // What is deleted is overwritten, so that an old hash does not linger in the file.
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
