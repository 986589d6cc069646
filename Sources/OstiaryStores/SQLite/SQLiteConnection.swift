#if SQLite
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
  import Foundation
  import GRDB
  import OstiaryCore

  /// An open database.
  final class SQLiteConnection: Sendable {
    /// Which file a path leads to.
    struct Identity: Equatable, Sendable {
      let device: UInt64
      let number: UInt64
    }

    let pool: DatabasePool
    /// Held shared as long as the database is open.
    let use: FileDescriptor
    let isVerified = Locked(false)
    private let path: String
    private let identity: Identity

    /// Opens a file that is there.
    init(_ path: String, _ identity: Identity, _ use: FileDescriptor, _ busyTimeout: Duration) throws {
      self.path = path
      self.identity = identity
      self.use = use
      var configuration = Configuration()
      configuration.label = "ostiary.sqlite-store"
      configuration.busyMode = .timeout(busyTimeout.seconds)
      // Opening for writing changes a file to write-ahead mode, so look first whose it is.
      configuration.readonly = true
      let reader = try DatabaseQueue(path: path, configuration: configuration)
      let isOurs = try reader.read { try SQLiteSchema.isOurs($0) }
      try reader.close()
      guard isOurs else {
        throw OstiaryError(
          .storeUnavailable, "\(path) is a database, but not one of sessions.", advice: "Choose another file.",
          disposition: .misuse)
      }
      configuration.readonly = false
      pool = try DatabasePool(path: path, configuration: configuration)
      try pool.writeWithoutTransaction { db in
        // FULL, not the NORMAL that GRDB sets with write-ahead mode: a save must not come undone with the power.
        try db.execute(sql: "PRAGMA synchronous = FULL")
        try db.execute(sql: "PRAGMA secure_delete = ON")
      }
    }

    /// Whether the path still leads to the file that was opened.
    var isCurrent: Bool { (try? Self.identity(path)) == identity }

    /// Looks at a file without opening it: closing any descriptor of a database gives up SQLite's locks on it.
    /// - Returns: `nil` when there is none.
    static func identity(_ path: String) throws(OstiaryError) -> Identity? {
      var status = stat()
      guard lstat(path, &status) == 0 else {
        if errno == ENOENT { return nil }
        throw .file(errno, cannot: "examine", path)
      }
      guard status.st_mode & S_IFMT == S_IFREG else { throw .refusedFile(path, "it is not an ordinary file") }
      guard status.st_uid == geteuid() else { throw .refusedFile(path, "it belongs to another user") }
      if status.st_mode & 0o077 != 0, chmod(path, 0o600) != 0 { throw .file(errno, cannot: "make private", path) }
      return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }

    /// Locks a file together with others, waiting while a process has it alone, which is never long.
    static func share(_ file: FileDescriptor) throws(OstiaryError) {
      while flock(file.number, LOCK_SH) != 0 {
        guard errno == EINTR else { throw .file(errno, cannot: "lock", file.path) }
      }
    }

    /// What SQLite says about a file that is damaged.
    static func damage(_ error: any Error) -> String? {
      guard let error = error as? DatabaseError else { return nil }
      switch error.resultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT: return error.message ?? "it is not a database"
      default: return nil
      }
    }
  }
#endif
