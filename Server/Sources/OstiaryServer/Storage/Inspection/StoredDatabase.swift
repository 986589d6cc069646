import Foundation
internal import GRDB

/// A database as it is: nothing in it is made or migrated, and no key is needed.
///
/// Calls block their thread.
struct StoredDatabase: Sendable {
  private enum Engine {
    case sqlite(DatabaseQueue)
    case postgreSQL(PostgreSQLConnector)
  }

  private let place: StoragePlace
  private let engine: Engine

  /// - Throws: an error of the engine; see ``ServerError/storage(_:)``.
  init(_ place: StoragePlace) throws {
    self.place = place
    switch place {
    case .folder(let folder): engine = .sqlite(try Self.file(in: folder, isReadOnly: true))
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

  /// Writes one small thing, durably.
  func note(_ body: (StorageConnection) throws -> Void) throws {
    switch (engine, place) {
    case (.postgreSQL(let connector), _):
      _ = try PostgreSQLWorker(connector, StorageHabits()).run(.write) { db in try body(db) }
    case (_, .folder(let folder)):
      try Self.file(in: folder, isReadOnly: false).write { db in try body(StorageConnection(db)) }
    case (_, .postgreSQL): break
    }
  }

  private static func file(in folder: URL, isReadOnly: Bool) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(5)
    let path = folder.appendingPathComponent(SQLiteEngine.fileName).path
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Keeps other programs from moving the tables until the snapshot ends; they read and write them.
  /// - Throws: `storageMoved` and the like if the tables are gone.
  static func hold(_ tables: [TableShape], in db: StorageConnection) throws {
    // A snapshot of SQLite's has the tables in any case.
    guard db.dialect == .postgreSQL else { return }
    try db.execute(script: "LOCK TABLE \(tables.map(\.name).joined(separator: ", ")) IN ACCESS SHARE MODE")
  }
}
