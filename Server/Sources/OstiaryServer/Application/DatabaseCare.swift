package import Foundation
import NIOPosix
import OstiaryCore

/// What is done with a database besides serving from it.
extension ServerConfiguration.Storage {
  /// - Throws: `storageDenied` for memory.
  private var place: StoragePlace {
    get throws {
      switch self {
      case .memory:
        throw ServerError(.storageDenied, "A database in memory ends with its server.", advice: "Name a place.")
      case .folder(let folder): .folder(folder)
      case .postgreSQL(let database): .postgreSQL(database)
      }
    }
  }

  /// Makes a back-up, while servers go on.
  /// - Parameters:
  ///   - file: the new file.
  ///   - replaces: whether a file of that name may be replaced.
  ///   - keys: the places that have the server's key, if it is to be in the file.
  package func backUp(to file: URL, replacing replaces: Bool, keys: ServerKeySources?) async throws -> BackupReport {
    let place = try self.place
    let key = try keys.map { keys in
      guard let key = try keys.existing(for: place.folder) else {
        throw ServerError(
          .serverKeyMissing, "There is no key here that could go into the back-up.",
          advice: "Name the database's key with --key-file.")
      }
      return key
    }
    return try await Self.inWords {
      try await NIOThreadPool.singleton.runIfActive {
        try StorageBackup.make(
          of: place, in: file, replaces: replaces, key: key, migrations: Migrations.all(of: houseDoors))
      }
    }
  }

  /// Restores a back-up.
  package func restore(_ file: URL, keys: ServerKeySources) async throws -> RestoreReport {
    let place = try self.place
    return try await Self.inWords {
      try await StorageRestore.run(file, into: place, keys: keys, migrations: Migrations.all(of: houseDoors))
    }
  }

  /// Looks at the database, and changes nothing.
  package func check(keys: ServerKeySources) async throws -> DatabaseCheck {
    let place = try self.place
    let key = try keys.existing(for: place.folder)
    return try await Self.inWords {
      try await NIOThreadPool.singleton.runIfActive {
        try DatabaseCheck.run(place, key: key, migrations: Migrations.all(of: houseDoors))
      }
    }
  }

  /// Makes the tables, or migrates them, and closes the database again.
  /// - Returns: the names of the migrations that it had, and has now, in order.
  package func migrate(keys: ServerKeySources) async throws -> (before: [String], after: [String]) {
    let place = try self.place
    let all = Migrations.all(of: houseDoors).map(\.name)
    let before = try await Self.inWords {
      try await NIOThreadPool.singleton.runIfActive { try Self.applied(in: place) }
    }
    try await ServerStorage(self, keys: keys).close()
    return (all.filter(before.contains), all)
  }

  private static func applied(in place: StoragePlace) throws -> Set<String> {
    if case .folder(let folder) = place {
      let path = folder.appending(path: ServerStorage.fileName).path(percentEncoded: false)
      guard FileManager.default.fileExists(atPath: path) else { return [] }
    }
    return try StoredDatabase(place).read { db in
      try db.demandUse()
      return try db.appliedMigrations()
    }
  }

  /// Turns an engine's error into the server's. That of a file has its words already.
  private static func inWords<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as OstiaryError {
      throw error
    } catch {
      throw ServerError.storage(error)
    }
  }
}
