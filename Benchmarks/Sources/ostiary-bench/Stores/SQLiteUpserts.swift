import CSQLite
import Foundation

/// Saves as a program would that uses SQLite's C interface and nothing else: one prepared statement, one row, write-ahead
/// log with `synchronous=FULL`.
final class SQLiteUpserts {
  private let database: OpaquePointer
  private let statement: OpaquePointer
  private let key = Data("bench".utf8)
  /// SQLite copies nothing that lives until the statement is done.
  private static var isStatic: sqlite3_destructor_type? { nil }

  init(_ path: String) throws {
    var database: OpaquePointer?
    guard sqlite3_open(path, &database) == SQLITE_OK, let database else {
      throw BenchmarkError(message: "SQLite can't open \(path).")
    }
    let setUp = """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      CREATE TABLE sessions (key BLOB NOT NULL PRIMARY KEY, data BLOB NOT NULL);
      """
    let upsert = "INSERT INTO sessions VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET data = excluded.data"
    var statement: OpaquePointer?
    guard sqlite3_exec(database, setUp, nil, nil, nil) == SQLITE_OK,
      sqlite3_prepare_v2(database, upsert, -1, &statement, nil) == SQLITE_OK, let statement
    else { throw BenchmarkError(message: "SQLite: \(String(cString: sqlite3_errmsg(database)))") }
    self.database = database
    self.statement = statement
  }

  deinit {
    sqlite3_finalize(statement)
    sqlite3_close(database)
  }

  func save(_ data: Data) throws {
    let result = key.withUnsafeBytes { key in
      data.withUnsafeBytes { data in
        sqlite3_bind_blob(statement, 1, key.baseAddress, Int32(key.count), Self.isStatic)
        sqlite3_bind_blob(statement, 2, data.baseAddress, Int32(data.count), Self.isStatic)
        defer { sqlite3_reset(statement) }
        return sqlite3_step(statement)
      }
    }
    guard result == SQLITE_DONE else {
      throw BenchmarkError(message: "SQLite: \(String(cString: sqlite3_errmsg(database)))")
    }
  }
}
