internal import GRDB

extension StoragePlace {
  var dialect: StorageDialect {
    switch self {
    case .folder: .sqlite
    case .postgreSQL: .postgreSQL
    }
  }
}

extension StorageConnection {
  /// The version of the engine.
  func engineVersion() throws -> String {
    switch dialect {
    case .sqlite: try text("SELECT sqlite_version()")
    case .postgreSQL: try text("SELECT current_setting('server_version')")
    }
  }

  /// The first column of the first row of a query, which is a text.
  fileprivate func text(_ query: String) throws -> String {
    if case .text(let text) = try rows(query, kinds: [.text]).first?.first { text } else { "" }
  }

  fileprivate func texts(_ query: String) throws -> [String] {
    try rows(query, kinds: [.text]).compactMap { if case .text(let text) = $0.first { text } else { nil } }
  }
}

extension DatabaseCheck {
  /// Asks the engine what it finds itself.
  mutating func look(at db: StorageConnection) throws {
    switch db.dialect {
    case .sqlite: try lookAtSQLite(db)
    case .postgreSQL: try lookAtPostgreSQL(db)
    }
  }

  private mutating func lookAtSQLite(_ db: StorageConnection) throws {
    let database = try db.sqlite
    let damage = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
    note(.integrity, damage.map { (.failed, "SQLite finds: \($0). Restore a back-up.") })
    var lost: [String: Int] = [:]
    let rows = try Row.fetchCursor(database, sql: "PRAGMA foreign_key_check")
    while let row = try rows.next() {
      let table: String? = row[0]
      lost[table ?? "", default: 0] += 1
    }
    note(
      .references,
      lost.sorted { $0.key < $1.key }.map {
        (.failed, "Rows of \($0.key) (\($0.value)) refer to rows that are not there. Restore a back-up.")
      })
    let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? ""
    note(.settings, mode == "wal" ? [] : [(.attention, "The journal's mode is \(mode). A server sets it to wal.")])
  }

  private mutating func lookAtPostgreSQL(_ db: StorageConnection) throws {
    let indexes = try db.texts(
      """
      SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND NOT (i.indisvalid AND i.indisready) ORDER BY 1
      """)
    note(.integrity, indexes.map { (.failed, "The index \($0) is not valid. Run REINDEX INDEX \($0).") })
    let constraints = try db.texts(
      """
      SELECT conname::text FROM pg_constraint
        WHERE connamespace = current_schema()::regnamespace AND NOT convalidated ORDER BY 1
      """)
    note(
      .references,
      constraints.map { (.attention, "The constraint \($0) was not checked. Run ALTER TABLE … VALIDATE CONSTRAINT.") })
    note(.settings, try settings(db) + rights(db))
  }

  private func rights(_ db: StorageConnection) throws -> [(State, String)] {
    do {
      try PostgreSQLRights.demand(in: db)
      return []
    } catch let error as ServerError {
      return [(.failed, "\(error.message) \(error.advice)")]
    }
  }

  private func settings(_ db: StorageConnection) throws -> [(State, String)] {
    var found: [(State, String)] = []
    func value(_ name: String) throws -> String {
      // What a new connection gets: this one may have set its own.
      try db.text("SELECT reset_val FROM pg_settings WHERE name = '\(name)'")
    }
    if try value("fsync") != "on" {
      found.append((.attention, "fsync is off: a crash of the machine loses or damages what was confirmed."))
    }
    if try value("full_page_writes") != "on" {
      found.append((.attention, "full_page_writes is off: a crash of the machine may damage the database."))
    }
    if try ["off", "local"].contains(value("synchronous_commit")) {
      found.append((.attention, "synchronous_commit is off for new connections. The server sets it to on for its own."))
    }
    if try value("server_encoding") != "UTF8" {
      found.append((.failed, "The database has another encoding than UTF8. Copy it to one that has."))
    }
    if try db.text("SELECT pg_is_in_recovery()::text") == "true" {
      found.append((.attention, "It is a standby, which takes no writes."))
    }
    return found
  }
}
