import Foundation
internal import GRDB

/// A database as it is: nothing in it is made, migrated or changed, and no key is needed.
///
/// Calls block their thread.
struct StoredDatabase: Sendable {
  private enum Engine {
    case sqlite(DatabaseQueue)
    case postgreSQL(PostgreSQLConnector)
  }

  private let engine: Engine

  /// - Throws: an error of the engine; see ``ServerError/storage(_:)``.
  init(_ place: StoragePlace) throws {
    switch place {
    case .folder(let folder):
      var configuration = GRDB.Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      let path = folder.appendingPathComponent(SQLiteEngine.fileName).path
      engine = .sqlite(try DatabaseQueue(path: path, configuration: configuration))
    case .postgreSQL(let database): engine = .postgreSQL(PostgreSQLConnector(database).patient)
    }
  }

  /// Reads in one snapshot, for as long as it takes. Other programs write meanwhile. The body is run once.
  func read<Value>(_ body: (StorageConnection) throws -> Value) throws -> Value {
    switch engine {
    case .sqlite(let queue): try queue.read { db in try body(StorageConnection(db)) }
    case .postgreSQL(let connector):
      try PostgreSQLWorker(connector, StorageHabits()).run(.snapshot) { db in try body(db) }.value
    }
  }

  /// Keeps other programs from moving the tables until the snapshot ends; they read and write them.
  /// - Throws: `storageMoved` and the like if the tables are gone.
  static func hold(_ tables: [TableShape], in db: StorageConnection) throws {
    // A snapshot of SQLite's has the tables in any case.
    guard db.dialect == .postgreSQL else { return }
    try db.execute(script: "LOCK TABLE \(tables.map(\.name).joined(separator: ", ")) IN ACCESS SHARE MODE")
  }
}
