import Foundation
internal import GRDB
internal import OstiaryCore

/// Tells in a few microseconds whether this process or another has committed to a database file.
///
/// It has a connection of its own that writes nothing, and asks it for SQLite's `data_version`, which changes with
/// every commit of another connection. It reads only the first page.
final class CommitWatch: Sendable {
  private let connection: Locked<DatabaseQueue?>

  /// - Parameter path: a database that exists.
  init(path: String) throws {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    // The caller has another way to find out, and must not wait.
    configuration.busyMode = .immediateError
    connection = Locked(try DatabaseQueue(path: path, configuration: configuration))
  }

  /// A number that changes with every commit; nil if it can't be read now.
  var version: Int? {
    read { db in try Self.version(in: db) }
  }

  /// The same number, read with the watch's connection.
  static func version(in db: StorageConnection) throws -> Int? {
    try Int.fetchOne(db.sqlite.cachedStatement(sql: "PRAGMA data_version"))
  }

  /// Reads a small value, one reader at a time; nil if that isn't possible at once.
  func read<Value: Sendable>(_ body: (StorageConnection) throws -> Value?) -> Value? {
    connection.withLock { connection in
      (try? connection?.unsafeRead { db in try body(StorageConnection(db)) }) ?? nil
    }
  }

  /// Closes the connection: later calls return nil. A second call does nothing.
  func close() {
    connection.withLock { connection in
      try? connection?.close()
      connection = nil
    }
  }
}
