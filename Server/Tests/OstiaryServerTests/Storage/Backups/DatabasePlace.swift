import Foundation
import GRDB
import OstiaryCore
import Testing

@testable import OstiaryServer

/// A place for a database of either engine, with a folder for its key and for files; both go with the value.
final class DatabasePlace: Sendable {
  enum Engine: String, CaseIterable, CustomTestStringConvertible {
    case sqlite, postgreSQL

    /// Those that are installed.
    static var present: [Engine] { PostgreSQLServer.programs == nil ? [.sqlite] : allCases }

    var testDescription: String { rawValue }
  }

  let folder = TemporaryFolder()
  let storage: ServerConfiguration.Storage
  let server: PostgreSQLServer?

  init(_ engine: Engine) async throws {
    try FileManager.default.createDirectory(
      at: folder.url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    switch engine {
    case .sqlite: (server, storage) = (nil, .folder(folder.url))
    case .postgreSQL:
      let server = try await PostgreSQLServer.start()
      self.server = server
      var database = server.database(folder)
      database.connections = 4
      storage = .postgreSQL(database)
    }
  }

  var place: StoragePlace {
    switch storage {
    case .postgreSQL(let database): .postgreSQL(database)
    default: .folder(folder.url)
    }
  }

  /// A file beside the database.
  func file(_ name: String) -> URL { folder.url.appending(path: name) }

  /// Runs statements in the database, without the server's rules.
  func execute(_ statements: String) async throws {
    if let server {
      let errors = try await server.execute(statements).errors
      guard errors.isEmpty else { throw PostgreSQLServer.Failed(program: "psql", output: errors) }
    } else {
      let database = try DatabaseQueue(path: file(ServerStorage.fileName).path)
      try await database.writeWithoutTransaction { try $0.execute(sql: statements) }
      try database.close()
    }
  }

  /// What a file is called that has not got its name yet.
  var unfinished: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasSuffix(".new") } }
  }
}

/// Work that blocks its thread, on one that no task needs.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
  }
}

extension ServerStorage {
  /// The tables with the sums of their rows.
  func digests() async throws -> [String: TableDigest] {
    let tables = try TableShape.all(of: Migrations.all(of: houseDoors))
    return try await read { db in
      Dictionary(uniqueKeysWithValues: try tables.map { ($0.name, try db.digest(of: $0)) })
    }
  }

  /// The same without the tables in which a restore and a back-up note that they have been.
  func content() async throws -> [String: TableDigest] {
    try await digests().filter { !["timelines", "last_backup"].contains($0.key) }
  }

  /// The ids that the engine gives next, by table.
  func nextIDs() async throws -> [String: Int64] {
    let tables = try TableShape.all(of: Migrations.all(of: houseDoors))
    return try await read { db in
      Dictionary(
        uniqueKeysWithValues: try tables.compactMap { table in try db.nextID(of: table).map { (table.name, $0) } })
    }
  }

  /// Gives the storage users, sessions, tokens and events.
  /// - Returns: refresh tokens, and the clock by which they were given.
  func fill(_ families: Int = 20) async throws -> (tokens: [Secret], clock: TestClock) {
    let world = try await TokenWorld(storage: self)
    var tokens: [Secret] = []
    for _ in 0..<families { tokens.append(try await world.family()) }
    let server = try IdentityWorld(storage: self, clock: world.clock)
    try await server.identity.addUser(
      name: "ad\u{e9}le", displayName: "Ad\u{e9}le \u{1f600}", password: IdentityWorld.password)
    _ = try await server.sessions.beginGuest()
    return (tokens, world.clock)
  }
}
