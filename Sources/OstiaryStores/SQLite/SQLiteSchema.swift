#if SQLite
  import Foundation
  import GRDB
  import OstiaryCore

  /// What a database of sessions looks like, version 1.
  enum SQLiteSchema {
    /// "Osti": marks the file as ours (`PRAGMA application_id`).
    static let applicationID = 0x4F73_7469
    static let version = 1

    /// As SQLite keeps them, in the order of their names.
    private static let tables = [
      "CREATE TABLE damaged (key BLOB, data BLOB, digest BLOB, found TEXT NOT NULL)",
      // With an ordinary index every key is there twice, and a check of the whole finds the one that has changed.
      "CREATE TABLE sessions (key BLOB NOT NULL PRIMARY KEY, data BLOB NOT NULL, digest BLOB NOT NULL)",
    ]

    /// What a file of ours turned out to be.
    enum Finding: Equatable {
      case ours
      case newer
      /// In words for a person.
      case damaged(String)
    }

    static func create(_ db: Database) throws {
      for table in tables { try db.execute(sql: table) }
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    static func isOurs(_ db: Database) throws -> Bool {
      try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID
    }

    static func examine(_ db: Database) throws -> Finding {
      switch try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 {
      case version: break
      case (version + 1)...: return .newer
      default: return .damaged("its version is unknown")
      }
      let found = try String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      return found == tables ? .ours : .damaged("its tables have changed")
    }

    /// Reads every page.
    /// - Returns: what is wrong, in SQLite's words.
    static func damage(_ db: Database) throws -> String? {
      let finding = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)")
      return finding == "ok" ? nil : finding ?? "it can't be checked"
    }
  }
#endif
