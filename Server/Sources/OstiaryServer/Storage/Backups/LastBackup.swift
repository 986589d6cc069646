import Foundation

/// When the last back-up was made. The database itself knows it, so that every server can tell how old the back-up is.
enum LastBackup {
  static let migration = StorageMigration(
    "23: the last back-up",
    .tables("CREATE TABLE last_backup (id INTEGER PRIMARY KEY CHECK (id = 1), made_at REAL NOT NULL) STRICT;"))

  private static let sql = LastBackupStatements.sql

  /// Nil if none is known.
  static func moment(in db: StorageConnection) throws -> Date? { try db.value(sql.moment) }

  static func note(_ moment: Date, in db: StorageConnection) throws {
    // A database of before has no place for it.
    guard try db.hasTable("last_backup") else { return }
    try db.run(sql.note, moment)
  }
}

/// The statements about the last back-up.
struct LastBackupStatements: StatementSet {
  static let sql = LastBackupStatements()

  let moment = StorageStatement("SELECT made_at FROM last_backup WHERE id = 1")
  let note = StorageStatement(
    "INSERT INTO last_backup (id, made_at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET made_at = $1")
}

extension ServerStorage {
  /// When the last back-up was made; nil if none is known.
  var lastBackup: Date? {
    get async throws(ServerError) { try await read { db in try LastBackup.moment(in: db) } }
  }
}
