#if SQLite
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
  import Dispatch
  import Foundation
  import GRDB
  import OstiaryCore

  /// The file of a ``SQLiteStore``: opened when it is needed, opened anew when it has been replaced, kept aside when it
  /// is damaged.
  ///
  /// A process that has it open holds a shared lock on a file beside it; creating it and keeping it aside need that
  /// lock alone, because SQLite does not survive the renaming of a database in use.
  final class SQLiteDatabase: Sendable {
    let path: String
    let clock: any SessionClock

    private let folderPath: String
    private let name: String
    private let busyTimeout: Duration
    private let opened = Locked<SQLiteConnection?>(nil)
    /// Opening and closing wait for the disk, so they happen on a thread of their own, one at a time.
    private let queue = DispatchQueue(label: "ostiary.sqlite-store")

    init(path: String, busyTimeout: Duration, clock: any SessionClock) {
      self.path = path
      self.busyTimeout = busyTimeout
      self.clock = clock
      folderPath = (path as NSString).deletingLastPathComponent
      name = (path as NSString).lastPathComponent
    }

    // MARK: Use

    /// Reads.
    /// - Returns: `nil` when there is no database.
    func read<Value: Sendable>(
      _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(OstiaryError) -> Value? {
      guard let connection = try await connection(creating: false) else { return nil }
      return try await outcome(of: connection) { finish in
        connection.pool.asyncRead { db in finish(Result { try body(try db.get()) }) }
      }
    }

    /// Changes, in the order of the calls. What was begun is finished, also when the task is cancelled.
    /// - Returns: `nil` when there is no database and it is not to be created.
    func write<Value: Sendable>(
      creating: Bool = false, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(OstiaryError) -> Value? {
      guard let connection = try await connection(creating: creating) else { return nil }
      return try await outcome(of: connection) { finish in
        connection.pool.asyncWriteWithoutTransaction { db in finish(Result { try body(db) }) }
      }
    }

    /// Checks the whole database, once for each time it was opened.
    /// - Throws: ``OstiaryError`` `storeCorrupt` when it is damaged.
    func verify() async throws(OstiaryError) {
      guard let connection = try await connection(creating: false), !connection.isVerified.withLock({ $0 }) else {
        return
      }
      if let damage = try await read({ try SQLiteSchema.damage($0) }) ?? nil {
        throw await keepAside(connection, damage)
      }
      connection.isVerified.withLock { $0 = true }
    }

    private func outcome<Value: Sendable>(
      of connection: SQLiteConnection,
      _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) async throws(OstiaryError) -> Value {
      let result = await withCheckedContinuation { continuation in start { continuation.resume(returning: $0) } }
      switch result {
      case .success(let value): return value
      case .failure(let error):
        guard let reason = SQLiteConnection.damage(error) else { throw .sqlite(error, path) }
        throw await keepAside(connection, reason)
      }
    }

    // MARK: Opening

    private func connection(creating: Bool) async throws(OstiaryError) -> SQLiteConnection? {
      if let connection = opened.withLock({ $0 }), connection.isCurrent { return connection }
      return try await onQueue { () throws(OstiaryError) in
        if let connection = self.opened.withLock({ $0 }), connection.isCurrent { return connection }
        self.opened.withLock { $0 = nil }
        let connection = try self.open(creating: creating)
        self.opened.withLock { $0 = connection }
        return connection
      }
    }

    private func onQueue<Value: Sendable>(
      _ work: @escaping @Sendable () throws(OstiaryError) -> Value
    ) async throws(OstiaryError) -> Value {
      let result = await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: Result { () throws(OstiaryError) in try work() }) }
      }
      return try result.get()
    }

    private func open(creating: Bool) throws(OstiaryError) -> SQLiteConnection? {
      guard let folder = try PrivateFolder.open(folderPath, creating: creating) else { return nil }
      if !creating, try SQLiteConnection.identity(path) == nil { return nil }
      guard let (use, _) = try folder.file(name + ".use", O_RDWR | O_CREAT) else {
        throw .file(ENOENT, cannot: "create", path + ".use")
      }
      if creating, try use.tryLock(), try SQLiteConnection.identity(path) == nil { try create(in: folder) }
      try SQLiteConnection.share(use)
      guard let identity = try SQLiteConnection.identity(path) else {
        guard creating else { return nil }
        throw OstiaryError(
          .storeUnavailable, "The database \(path) has been removed while another program uses it.",
          advice: "End the other program, then try again.")
      }
      do {
        let connection = try SQLiteConnection(path, identity, use, busyTimeout)
        switch try connection.pool.read({ try SQLiteSchema.examine($0) }) {
        case .ours: return connection
        case .newer:
          throw OstiaryError(
            .storeUnavailable, "A newer version of Ostiary has written \(path).", advice: "Update this program.")
        case .damaged(let reason): throw setAside(connection.use, reason, folder, closing: connection)
        }
      } catch {
        if let reason = SQLiteConnection.damage(error) { throw setAside(use, reason, folder, closing: nil) }
        throw .sqlite(error, path)
      }
    }

    /// Makes an empty database under another name first, so that one without tables is known as damaged.
    private func create(in folder: PrivateFolder) throws(OstiaryError) {
      // The log of a database that is gone would be taken for the new one's.
      for suffix in ["-wal", "-shm"] { try folder.remove(name + suffix) }
      let temporary = name + ".new"
      try folder.remove(temporary)
      guard try folder.file(temporary, O_RDWR | O_CREAT | O_EXCL) != nil else {
        throw .file(ENOENT, cannot: "create", path)
      }
      do {
        let queue = try DatabaseQueue(path: path + ".new")
        try queue.write { try SQLiteSchema.create($0) }
        try queue.close()
      } catch {
        try? folder.remove(temporary)
        throw .sqlite(error, path)
      }
      try folder.rename(temporary, to: name)
      try folder.synchronize()
    }

    // MARK: Damage

    /// Gives a damaged database another name, unless another process uses it.
    /// - Returns: what to tell about it.
    private func keepAside(_ connection: SQLiteConnection, _ reason: String) async -> OstiaryError {
      let result = await withCheckedContinuation { continuation in
        queue.async {
          let isOpen = self.opened.withLock { opened in
            guard opened === connection else { return false }
            opened = nil
            return true
          }
          guard isOpen, let folder = try? PrivateFolder.open(self.folderPath, creating: false) else {
            continuation.resume(returning: self.corrupt(reason, keptAs: nil))
            return
          }
          continuation.resume(returning: self.setAside(connection.use, reason, folder, closing: connection))
        }
      }
      return result
    }

    private func setAside(
      _ use: FileDescriptor, _ reason: String, _ folder: PrivateFolder, closing connection: SQLiteConnection?
    ) -> OstiaryError {
      do {
        // What is under way ends first; what comes later finds the database closed.
        try connection?.pool.close()
        guard try use.tryLock() else { return corrupt(reason, keptAs: nil) }
        let time = clock.now.ISO8601Format(.init(dateSeparator: .omitted, timeSeparator: .omitted))
        let base = "\(name).corrupt-\(time)"
        let aside = (0..<1000).lazy.map { $0 == 0 ? base : "\(base)-\($0)" }.first { !folder.contains($0) } ?? base
        for suffix in ["-wal", ""] where folder.contains(name + suffix) {
          try folder.rename(name + suffix, to: aside + suffix)
        }
        try folder.remove(name + "-shm")
        try folder.synchronize()
        return corrupt(reason, keptAs: aside)
      } catch {
        return corrupt(reason, keptAs: nil)
      }
    }

    /// Removes the files that were kept aside.
    func removeKeptAside() async throws(OstiaryError) {
      try await onQueue { () throws(OstiaryError) in
        guard let folder = try PrivateFolder.open(self.folderPath, creating: false) else { return }
        for name in try folder.names() where name.hasPrefix(self.name + ".corrupt-") { try folder.remove(name) }
        try folder.synchronize()
      }
    }

    private func corrupt(_ reason: String, keptAs aside: String?) -> OstiaryError {
      let kept = aside.map { "It has been kept as \(folderPath)/\($0)." } ?? "It could not be moved aside."
      return OstiaryError(.storeCorrupt, "The database \(path) is damaged: \(reason). \(kept)")
    }
  }
#endif
