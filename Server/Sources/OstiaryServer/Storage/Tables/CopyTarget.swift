internal import OstiaryPostgreSQL

/// What takes the tables of a copy: a database or a file. It is given all of them in order, each to its end.
protocol CopyTarget {
  mutating func take(_ rows: [[StorageValue]], of table: TableShape) throws
  /// Ends a table.
  /// - Throws: if what was taken is not what the digest says.
  mutating func end(_ table: TableShape, _ digest: TableDigest, nextID: Int64?) throws
}

/// A database, which has just been made and has no users.
struct DatabaseTarget: CopyTarget {
  let db: StorageConnection

  mutating func take(_ rows: [[StorageValue]], of table: TableShape) throws {
    do {
      try db.insert(rows, into: table)
    } catch let failure as PostgreSQLFailure where failure.state == "22021" {
      throw ServerError(
        .storageFailed, "The table \(table.name) has a text with a NUL character, which PostgreSQL can't store.",
        advice: "Nothing was changed. Remove that text first.")
    }
  }

  mutating func end(_ table: TableShape, _ digest: TableDigest, nextID: Int64?) throws {
    if let nextID { try db.set(nextID: nextID, of: table) }
    let copied = try db.digest(of: table)
    guard copied == digest else {
      throw ServerError(
        .storageFailed,
        "The table \(table.name) has \(copied.count) rows that differ from the \(digest.count) of the source.",
        advice: "Nothing was changed. Report this.")
    }
  }
}
