package import Foundation
import NIOPosix
import OstiaryCore

/// What was restored.
package struct RestoreReport: Sendable {
  /// What is known of the server's key.
  package enum Key: String, Sendable {
    /// It was in the back-up, and is in the data folder now.
    case restored
    /// The key that was found here is the database's.
    case present
    /// There is none here, and no server starts without it.
    case needed
  }

  package let tables: [TableCount]
  package let madeAt: Date
  package let key: Key
}

/// Restores a back-up into a database that is new or was never used, of any engine.
///
/// The file is read to its end before anything is written. Then the tables are made as the back-up has them, filled, counted and
/// compared in one transaction, and migrated. All the time the database has a mark with which no server opens it, so that what a
/// restore that was killed leaves passes for nothing else.
enum StorageRestore {
  /// - Parameters:
  ///   - keys: the places that may have the server's key.
  ///   - migrations: all that are known.
  /// - Throws: `backupRefused`, `storageDenied` if the target has users or a server uses it, `serverKeyIsAnother`, and other errors of
  ///   storages.
  static func run(
    _ file: URL, into place: StoragePlace, keys: ServerKeySources, migrations: [StorageMigration]
  ) async throws -> RestoreReport {
    let (header, tables) = try await NIOThreadPool.singleton.runIfActive { try verify(file, migrations) }
    let key = try RestoredKey(header, existing: keys.existing(for: place.folder))
    // A server that ran on would answer by what it has cached.
    try await NIOThreadPool.singleton.runIfActive { try place.demandAlone() }
    let known = migrations.filter { header.migrations.contains($0.name) }
    let id = UUID().uuidString
    let counts = try await with(place, known, RestoreOpening(id: id, isFirst: true, migrations: migrations)) { db in
      try db.demandRestore(id)
      try db.lock(tables)
      return try fill(db, tables, known, file, header)
    }
    try key.store(in: place.folder)
    try await with(place, migrations, RestoreOpening(id: id, isFirst: false, migrations: migrations)) { db in
      // Clients may know of what was committed after the back-up.
      try Timeline.begin(survivedUntil: header.madeAt, at: Date(), in: db)
      try db.endRestore(id)
    }
    return RestoreReport(tables: counts, madeAt: header.madeAt, key: key.report)
  }

  /// Reads a file to its end.
  static func verify(_ file: URL, _ migrations: [StorageMigration]) throws -> (BackupHeader, [TableShape]) {
    var reader = try BackupReader(file, knowing: migrations)
    while try reader.next() != nil {}
    return (reader.header, reader.tables)
  }

  /// Reads the file once more, which may have been changed meanwhile.
  private static func fill(
    _ db: StorageConnection, _ tables: [TableShape], _ migrations: [StorageMigration], _ file: URL,
    _ header: BackupHeader
  ) throws -> [TableCount] {
    var reader = try BackupReader(file, knowing: migrations)
    guard reader.header == header else {
      throw ServerError(.backupRefused, "The back-up has changed meanwhile.", advice: "Begin again.")
    }
    var counts: [TableCount] = []
    try db.fill(tables, migrations: migrations) {
      var sink = DatabaseTarget(db: db)
      var current: TableShape?
      while let item = try reader.next() {
        switch (item, current) {
        case (.table(let table), _): current = table
        case (.rows(let rows), let table?): try sink.take(rows, of: table)
        case (.end(let digest, let nextID), let table?):
          try sink.end(table, digest, nextID: nextID)
          counts.append(TableCount(name: table.name, rows: digest.count))
        default: break
        }
      }
    }
    return counts
  }

  private static func with<Value: Sendable>(
    _ place: StoragePlace, _ migrations: [StorageMigration], _ opening: RestoreOpening,
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    let storage = try ServerStorage(place, migrations: migrations, opening: opening)
    do {
      let value = try await storage.writeOnce(body)
      try await storage.close()
      return value
    } catch {
      try? await storage.close()
      throw error
    }
  }
}

extension BackupReader {
  /// Reads a file.
  /// - Parameter migrations: all that are known.
  init(_ file: URL, knowing migrations: [StorageMigration]) throws {
    func readable<Value>(_ body: () throws -> Value) throws(ServerError) -> Value {
      do { return try body() } catch {
        throw ServerError(
          .backupRefused, "\(file.path(percentEncoded: false)) can't be read.",
          advice: "Check the path and its owner.", underlying: error)
      }
    }
    let handle = try readable { try FileHandle(forReadingFrom: file) }
    try self.init({ count in try readable { try handle.read(upToCount: count) ?? Data() } }) { header in
      let known = migrations.filter { header.migrations.contains($0.name) }
      guard known.map(\.name) == header.migrations else {
        throw ServerError(
          .storageTooNew, "The back-up was made by a newer Ostiary.", advice: "Update this one, and begin again.")
      }
      return try TableShape.all(of: known)
    }
  }
}

/// The server's key, as a back-up and the target have it.
private struct RestoredKey {
  /// The key that was in the file, if the target has none.
  private let new: ServerKey?
  let report: RestoreReport.Key

  /// - Throws: `serverKeysDiffer`, `serverKeyIsAnother`, `backupRefused`.
  init(_ header: BackupHeader, existing: ServerKey?) throws {
    func fits(_ key: ServerKey) -> Bool { header.keyCheck.map { KeyCheck.isValue($0, of: key) } ?? true }
    let stored = header.key.flatMap { ServerKey(text: $0.reveal(), place: "the back-up") }
    guard (stored != nil) == (header.key != nil), stored.map(fits) ?? true else {
      throw ServerError(
        .backupRefused, "The key in the back-up is not its database's.", advice: "Take an earlier back-up.")
    }
    if let existing {
      guard stored.map(existing.isSame(as:)) ?? fits(existing) else {
        throw ServerError(
          .serverKeyIsAnother, "The key of \(existing.place) is not the one that the back-up was made with.",
          advice: "Take it away, or name the right one with --key-file.")
      }
      (new, report) = (nil, .present)
    } else {
      (new, report) = (stored, stored == nil ? .needed : .restored)
    }
  }

  func store(in folder: URL) throws { try new?.store(in: folder) }
}

/// Opens a database for the restore that has this id.
struct RestoreOpening: StorageOpening {
  let id: String
  /// Whether what is there goes.
  let isFirst: Bool
  /// All that are known.
  let migrations: [StorageMigration]

  var writesFirst: Bool { true }

  func begin(in db: StorageConnection) throws {
    if isFirst { try db.beginRestore(id, knowing: migrations) } else { try db.demandRestore(id) }
  }

  func isSettled(in db: StorageConnection) throws -> Bool { true }
  func settle(in db: StorageConnection) throws {}
}
