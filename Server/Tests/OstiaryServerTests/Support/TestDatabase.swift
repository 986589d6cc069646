import Foundation
import OstiaryCore
import OstiaryPostgreSQL
import Testing

@testable import OstiaryServer

/// The engine that the suites run on: SQLite, or the PostgreSQL server whose socket's folder `OSTIARY_TEST_POSTGRESQL` names.
/// Scripts/test.sh runs the suites that are to behave alike once with each.
enum TestDatabase {
  /// The folder of the server's socket; nil for SQLite.
  static let socket = ProcessInfo.processInfo.environment["OSTIARY_TEST_POSTGRESQL"].flatMap { $0.isEmpty ? nil : $0 }

  static var isPostgreSQL: Bool { socket != nil }

  /// For suites and tests that look at what only SQLite has, such as its file.
  static let forSQLite = ConditionTrait.disabled(
    if: isPostgreSQL, "It is about SQLite's file, its statements or its cost.")

  /// The schemas of storages that tests have made, which are removed when their storage is gone.
  private static let schemas = Locked<[(name: String, storage: WeakStorage)]>([])

  private struct WeakStorage { weak var storage: ServerStorage? }

  /// For schemas, whose making and removal may wait for connections that are about to end.
  private static let settings = PostgreSQLSession.Settings(connectTimeout: .seconds(60), answerTimeout: .seconds(120))

  /// What a test that asked for `place` gets: the same with SQLite, otherwise a schema of its own in PostgreSQL.
  ///
  /// One folder has one schema, so that a server that is started again finds its data.
  static func place(_ place: ServerConfiguration.Storage) throws -> ServerConfiguration.Storage {
    guard let socket else { return place }
    let folder: URL
    let schema: String
    switch place {
    case .memory:
      schema = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }
      folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(schema)", directoryHint: .isDirectory)
    case .folder(let url):
      folder = url
      schema = "f" + url.path.utf8.map { String($0, radix: 16) }.joined().suffix(60)
    case .postgreSQL: return place
    }
    let address = "postgres:///postgres?host=\(socket)&user=ostiary"
    let session = try PostgreSQLSession(Secret(address), settings: settings)
    let gone = schemas.withLock { schemas in
      let gone = schemas.filter { $0.storage.storage == nil }.map(\.name)
      schemas.removeAll { $0.storage.storage == nil }
      return gone
    }
    let drops = gone.map { "DROP SCHEMA IF EXISTS \($0) CASCADE; " }.joined()
    try session.run(script: "SET client_min_messages = warning; \(drops)CREATE SCHEMA IF NOT EXISTS \(schema)")
    var database = PostgreSQLDatabase(Secret(address + "&options=-csearch_path%3D\(schema)"), folder: folder)
    database.connections = 4
    return .postgreSQL(database)
  }

  /// Removes the schema and the folder of a place that stood for `.memory`.
  static func remove(_ place: ServerConfiguration.Storage) {
    guard let socket, case .postgreSQL(let database) = place, let schema = schema(of: database), schema.hasPrefix("t")
    else { return }
    let session = try? PostgreSQLSession(
      Secret("postgres:///postgres?host=\(socket)&user=ostiary"), settings: settings)
    try? session?.run(script: "SET client_min_messages = warning; DROP SCHEMA IF EXISTS \(schema) CASCADE")
    try? FileManager.default.removeItem(at: database.folder)
  }

  /// Lets the schema end with its storage.
  static func note(_ storage: ServerStorage, of database: PostgreSQLDatabase) {
    guard let name = schema(of: database) else { return }
    schemas.withLock { $0.append((name, WeakStorage(storage: storage))) }
  }

  private static func schema(of database: PostgreSQLDatabase) -> String? {
    database.connection.reveal().components(separatedBy: "search_path%3D").last
  }
}

extension ServerStorage {
  /// A storage for a test: in memory, or in a schema of its own.
  static func forTest(habits: StorageHabits = .standard) throws -> ServerStorage {
    let migrations = Migrations.all(of: houseDoors)
    guard case .postgreSQL(let database) = try TestDatabase.place(.memory) else {
      return try ServerStorage(inMemory: migrations, habits: habits)
    }
    let storage = try ServerStorage(database, migrations: migrations, habits: habits)
    TestDatabase.note(storage, of: database)
    return storage
  }

  /// A storage for a test, in a folder, or in the folder's schema.
  static func forTest(in folder: URL, keys: ServerKeySources = ServerKeySources()) throws -> ServerStorage {
    try ServerStorage(TestDatabase.place(.folder(folder)), keys: keys)
  }
}
