import Foundation
internal import GRDB
internal import OstiaryCore

/// Tells whether anything has been committed to a database file, by this process or another, for some microseconds.
///
/// It has a connection of its own that writes nothing, and asks it for SQLite's `data_version`, which changes with
/// every commit of another connection. No page but the first is ever read.
final class CommitWatch: Sendable {
  private let connection: Locked<DatabaseQueue?>

  /// - Parameter path: a database that exists.
  init(path: String) throws {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    // Whoever asks has another way to know, and must not be kept waiting.
    configuration.busyMode = .immediateError
    connection = Locked(try DatabaseQueue(path: path, configuration: configuration))
  }

  /// A number that is another after every commit; nothing if that can't be told now.
  var version: Int? {
    read { db in try Self.version(in: db) }
  }

  /// That number, of the watch's connection.
  static func version(in db: StorageConnection) throws -> Int? {
    try Int.fetchOne(db.engine.cachedStatement(sql: "PRAGMA data_version"))
  }

  /// Reads something small, one reader at a time; nothing if that isn't possible at once.
  func read<Value: Sendable>(_ body: (StorageConnection) throws -> Value?) -> Value? {
    connection.withLock { connection in
      (try? connection?.unsafeRead { db in try body(StorageConnection(db)) }) ?? nil
    }
  }

  /// Closes the connection; nothing can be told any more. Closing again does nothing.
  func close() {
    connection.withLock { connection in
      try? connection?.close()
      connection = nil
    }
  }
}
