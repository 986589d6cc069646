import Foundation
import OstiaryCore
import TestSupport
import Testing

#if SQLite
  import GRDB
#endif

/// Stores that processes can share.
enum SharedStore: String, CaseIterable, CustomTestStringConvertible {
  case file
  case encryptedFile = "encrypted file"
  #if SQLite
    case sqlite = "SQLite"
  #endif
  #if PostgreSQL
    case postgreSQL = "PostgreSQL"
    case sealedPostgreSQL = "sealed PostgreSQL"
  #endif

  var testDescription: String { rawValue }

  /// One in files, one in SQLite, one on a server.
  static var different: [SharedStore] { allCases.filter { $0 == .encryptedFile || $0.rawValue == "SQLite" } + remote }

  /// One in files, one on a server.
  static var mostDifferent: [SharedStore] { [.encryptedFile] + remote }

  private static var remote: [SharedStore] { allCases.filter { $0.rawValue == "sealed PostgreSQL" } }
}

/// A place for a store, gone when the value is.
final class StorePlace: Sendable {
  let store: WorkerStore
  let folder: TemporaryFolder
  /// Kept as long as the place.
  private let server: (any Sendable)?

  private init(_ store: WorkerStore, _ folder: TemporaryFolder, _ server: (any Sendable)? = nil) {
    self.store = store
    self.folder = folder
    self.server = server
  }

  /// An empty place. Where the store needs a server that isn't there, the test is skipped.
  /// - Parameters:
  ///   - connections: to a database's server, at most.
  ///   - other: a place whose server this one uses, too, with a table of its own.
  static func make(
    _ kind: SharedStore, connections: Int = 2, beside other: StorePlace? = nil
  ) async throws -> StorePlace {
    let folder = try TemporaryFolder()
    switch kind {
    case .file: return StorePlace(.file(folder.file("store").path), folder)
    case .encryptedFile:
      return StorePlace(.encryptedFile(folder.file("store").path, keyFile: folder.file("key").path), folder)
    #if SQLite
      case .sqlite: return StorePlace(.sqlite(folder.file("store/sessions.sqlite").path), folder)
    #endif
    #if PostgreSQL
      case .postgreSQL, .sealedPostgreSQL:
        let server: PostgreSQLServer
        if let shared = other?.server as? PostgreSQLServer {
          server = shared
        } else {
          server = try await PostgreSQLServer.start()
        }
        let table = "place_\(UUID().uuidString.prefix(8).lowercased())"
        let keyFile = kind == .sealedPostgreSQL ? folder.file("key").path : nil
        let store = WorkerStore.postgreSQL(
          server.connection().reveal(), table: table, connections: connections, keyFile: keyFile)
        return StorePlace(store, folder, server)
    #endif
    }
  }
  #if SQLite
    /// Keeps every other connection to an SQLite store from writing, until it is ended. Reading goes on.
    struct WriteLock {
      fileprivate let queue: DatabaseQueue

      func end() throws { try queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") } }
    }

    func lockForWriting() throws -> WriteLock {
      guard case .sqlite(let path) = store else { throw OstiaryError(.storeUnavailable, "It is not in SQLite.") }
      var configuration = Configuration()
      // It is left open from one call to the next.
      configuration.allowsUnsafeTransactions = true
      // A process may be writing.
      configuration.busyMode = .timeout(60)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      return WriteLock(queue: queue)
    }
  #endif

  #if PostgreSQL
    /// Ends every connection that holds exclusive access, as an administrator of the server can.
    /// - Returns: how many.
    func endHolders() async throws -> Int? {
      // The shared locks are of those that listen for news.
      let isHolder = "locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted"
      let holders = "SELECT DISTINCT pid FROM pg_locks WHERE \(isHolder)"
      guard let server = server as? PostgreSQLServer else { return nil }
      return Int(try await server.sql("SELECT count(pg_terminate_backend(pid, 5000)) FROM (\(holders)) AS holders"))
    }
  #endif
}
