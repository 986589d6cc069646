package import Foundation
import OstiaryCore
import OstiaryPrivateFiles

/// What a back-up has in it.
package struct BackupReport: Sendable {
  package let tables: [TableCount]
  package let madeAt: Date
  /// Whether the server's key is in it.
  package let hasKey: Bool
}

/// Makes a back-up of a database in one file, for any engine; see ``BackupFormat``. Servers go on meanwhile: it is of one moment, and
/// keeps no program from writing.
///
/// It blocks its thread.
enum StorageBackup {
  /// - Parameters:
  ///   - file: the new file, which only its owner can read.
  ///   - replaces: whether a file of that name may be replaced.
  ///   - key: the server's key, if it is to be in the file.
  ///   - migrations: all that are known.
  /// - Throws: `serverKeyIsAnother` if the key is not the database's, `storageTooNew`, and the errors of the database and the file.
  static func make(
    of place: StoragePlace, in file: URL, replaces: Bool, key: ServerKey?, migrations: [StorageMigration],
    at moment: Date = Date()
  ) throws -> BackupReport {
    guard replaces || !FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
      throw ServerError(
        .backupRefused, "There is a file \(file.path(percentEncoded: false)) already.",
        advice: "Name another one, or let it be replaced with --replace.")
    }
    let database = try StoredDatabase(place)
    let report = try database.read { db -> BackupReport in
      let (known, tables) = try content(of: db, migrations)
      try StoredDatabase.hold(tables, in: db)
      let keyCheck = try known.contains { $0.name == KeyCheck.migration.name } ? KeyCheck.stored(in: db) : nil
      if let key, let keyCheck, !KeyCheck.isValue(keyCheck, of: key) {
        throw ServerError(
          .serverKeyIsAnother, "The key of \(key.place) is not the database's.", advice: "Name its key with --key-file."
        )
      }
      let header = BackupHeader(
        madeAt: moment, engine: db.dialect.name, migrations: known.map(\.name), keyCheck: keyCheck, key: key?.text)
      let output = try PrivateFileWriter(url: file)
      do {
        var sink = try BackupWriter(header) { try output.write($0) }
        try db.copy(tables, to: &sink)
        try sink.finish()
        try output.commit()
        return BackupReport(tables: sink.counts, madeAt: moment, hasKey: key != nil)
      } catch {
        output.discard()
        throw error
      }
    }
    // The back-up is there, whether this succeeds or not: servers only tell an older one's age then.
    try? database.note { db in try LastBackup.note(moment, in: db) }
    return report
  }

  /// The migrations that the database has, and their tables.
  private static func content(
    of db: StorageConnection, _ migrations: [StorageMigration]
  ) throws -> ([StorageMigration], [TableShape]) {
    try db.demandUse()
    let applied = try db.appliedMigrations()
    let known = migrations.filter { applied.contains($0.name) }
    guard known.count == applied.count else {
      throw ServerError(
        .storageTooNew, "The database was written by a newer Ostiary.", advice: "Make the back-up with that one.")
    }
    guard !known.isEmpty else {
      throw ServerError(.storageDenied, "The database has no tables.", advice: "Check its address.")
    }
    return (known, try TableShape.all(of: known))
  }
}

extension StorageDialect {
  /// The engine's name for people and in files.
  var name: String {
    switch self {
    case .sqlite: "SQLite"
    case .postgreSQL: "PostgreSQL"
    }
  }
}
