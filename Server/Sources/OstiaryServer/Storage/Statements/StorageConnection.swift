internal import GRDB
internal import OstiaryPostgreSQL

/// The connection with which the body of a storage call reads and writes, within one transaction.
///
/// Bodies are synchronous and run on the storage's own threads, never on those of Swift's tasks. A connection is valid
/// until its body returns. Statements stay prepared; rows are read in place.
struct StorageConnection {
  private enum Engine {
    case sqlite(GRDB.Database)
    case postgreSQL(PostgreSQLTransaction)
  }

  private let engine: Engine
  /// Notified of every statement, in tests.
  private let recorder: StatementRecorder?

  init(_ database: GRDB.Database, recorder: StatementRecorder? = nil) {
    engine = .sqlite(database)
    self.recorder = recorder
  }

  init(_ transaction: PostgreSQLTransaction, recorder: StatementRecorder? = nil) {
    engine = .postgreSQL(transaction)
    self.recorder = recorder
  }

  /// SQLite's connection, for this folder and for tests.
  /// - Throws: `storageFailed` if the engine is another one.
  var sqlite: GRDB.Database {
    get throws(ServerError) {
      guard case .sqlite(let database) = engine else {
        throw ServerError(.storageFailed, "The database is not SQLite's.", advice: "Report this.")
      }
      return database
    }
  }

  /// PostgreSQL's transaction, for this folder.
  /// - Throws: `storageFailed` if the engine is another one.
  var postgreSQL: PostgreSQLTransaction {
    get throws(ServerError) {
      guard case .postgreSQL(let transaction) = engine else {
        throw ServerError(.storageFailed, "The database is not PostgreSQL's.", advice: "Report this.")
      }
      return transaction
    }
  }

  /// Runs a statement whose answer is not asked for. PostgreSQL gets it with the next statement that has an answer, or with the
  /// COMMIT, which fails if it does.
  func run(_ statement: StorageStatement, _ values: any StorageBindable...) throws {
    try run(of: statement, values)
  }

  func run(of statement: StorageStatement, _ values: [any StorageBindable]) throws {
    recorder?.note(statement.text)
    switch engine {
    case .sqlite(let database):
      try database.cachedStatement(sql: statement.text).execute(arguments: Self.arguments(values))
    case .postgreSQL(let transaction):
      try transaction.queue(statement.text(for: .postgreSQL), values.map { $0.storageValue.postgreSQLValue })
    }
  }

  /// Runs a statement, and returns the number of rows that it has inserted, changed or deleted.
  func changed(by statement: StorageStatement, _ values: any StorageBindable...) throws -> Int {
    try changes(of: statement, values)
  }

  func changes(of statement: StorageStatement, _ values: [any StorageBindable]) throws -> Int {
    recorder?.note(statement.text)
    switch engine {
    case .sqlite(let database):
      try database.cachedStatement(sql: statement.text).execute(arguments: Self.arguments(values))
      return database.changesCount
    case .postgreSQL(let transaction):
      return try transaction.run(statement.text(for: .postgreSQL), values.map { $0.storageValue.postgreSQLValue })
        .affected
    }
  }

  /// The result of `read` for the first row, if there is one.
  func first<Value>(
    _ statement: StorageStatement, _ values: any StorageBindable..., read: (inout ColumnReader) throws -> Value
  ) throws -> Value? {
    try first(of: statement, values, read)
  }

  /// The results of `read` for each row.
  func all<Value>(
    _ statement: StorageStatement, _ values: any StorageBindable..., read: (inout ColumnReader) throws -> Value
  ) throws -> [Value] {
    try all(of: statement, values, read)
  }

  /// The first column of the first row, if there is one.
  func value<Value: StorageColumn>(_ statement: StorageStatement, _ values: any StorageBindable...) throws -> Value? {
    try first(of: statement, values) { $0.next(Value?.self) } ?? nil
  }

  /// The first column of each row.
  func values<Value: StorageColumn>(
    _ statement: StorageStatement, _ values: any StorageBindable...
  ) throws -> [Value] {
    try all(of: statement, values) { $0.next() }
  }

  /// The result of a counting query.
  func count(_ statement: StorageStatement, _ values: any StorageBindable...) throws -> Int {
    try first(of: statement, values) { $0.next(Int.self) } ?? 0
  }

  /// Whether a query finds a row.
  func exists(_ statement: StorageStatement, _ values: any StorageBindable...) throws -> Bool {
    try first(of: statement, values) { _ in true } ?? false
  }

  /// Lets the commit of this transaction tell every server what has ended. SQLite's other processes see it by themselves.
  func note(_ ends: [StorageEnd]) {
    if case .postgreSQL(let transaction) = engine { transaction.note(ends) }
  }

  /// Whether several servers use the database at once, so that what ends is announced.
  var announcesEnds: Bool {
    if case .postgreSQL = engine { true } else { false }
  }

  /// Inserts a row.
  /// - Parameter statement: ends with `RETURNING` and the column of the id.
  /// - Returns: the id that the engine has given it.
  func newID(_ statement: StorageStatement, _ values: any StorageBindable...) throws -> Int64 {
    let id = try first(of: statement, values) { $0.next(Int64.self) }
    guard let id else { throw ServerError(.storageFailed, "A row has got no id.", advice: "Report this.") }
    return id
  }
}

/// Statements that are composed at run time. There may be many, so they don't stay prepared.
extension StorageConnection {
  /// The result of `read` for the first row, if there is one.
  func first<Value>(_ query: StorageQuery, read: (inout ColumnReader) throws -> Value) throws -> Value? {
    recorder?.note(query.text)
    return switch engine {
    case .sqlite(let database):
      try Self.first(of: database.makeStatement(sql: query.text), Self.arguments(query.values), read)
    case .postgreSQL(let transaction): try Self.first(of: Self.rows(query, transaction), read)
    }
  }

  /// The results of `read` for each row.
  func all<Value>(_ query: StorageQuery, read: (inout ColumnReader) throws -> Value) throws -> [Value] {
    recorder?.note(query.text)
    return switch engine {
    case .sqlite(let database):
      try Self.all(of: database.makeStatement(sql: query.text), Self.arguments(query.values), read)
    case .postgreSQL(let transaction): try Self.all(of: Self.rows(query, transaction), read)
    }
  }

  /// The result of a counting query.
  func count(_ query: StorageQuery) throws -> Int {
    try first(query) { $0.next(Int.self) } ?? 0
  }

  private static func rows(_ query: StorageQuery, _ transaction: PostgreSQLTransaction) throws -> PostgreSQLRows {
    try transaction.run(query.text, query.values.map(\.postgreSQLValue), keepsPrepared: false)
  }
}

extension StorageConnection {
  private func first<Value>(
    of statement: StorageStatement, _ values: [any StorageBindable], _ read: (inout ColumnReader) throws -> Value
  ) throws -> Value? {
    recorder?.note(statement.text)
    return switch engine {
    case .sqlite(let database):
      try Self.first(of: database.cachedStatement(sql: statement.text), Self.arguments(values), read)
    case .postgreSQL(let transaction): try Self.first(of: Self.rows(statement, values, transaction), read)
    }
  }

  func all<Value>(
    of statement: StorageStatement, _ values: [any StorageBindable], _ read: (inout ColumnReader) throws -> Value
  ) throws -> [Value] {
    recorder?.note(statement.text)
    return switch engine {
    case .sqlite(let database):
      try Self.all(of: database.cachedStatement(sql: statement.text), Self.arguments(values), read)
    case .postgreSQL(let transaction): try Self.all(of: Self.rows(statement, values, transaction), read)
    }
  }
}

/// SQLite's rows, read in place.
extension StorageConnection {
  /// Values in the form of SQLite's library.
  static func arguments(_ values: [any StorageBindable]) -> StatementArguments {
    // As existentials: the library maps a list of one type by a key path, which costs more than the statement.
    StatementArguments(values.map { value -> (any DatabaseValueConvertible)? in value.storageValue.databaseValue })
  }

  private static func first<Value>(
    of statement: Statement, _ arguments: StatementArguments, _ read: (inout ColumnReader) throws -> Value
  ) throws -> Value? {
    let cursor = try Row.fetchCursor(statement, arguments: arguments)
    // The row ends with the cursor.
    return try withExtendedLifetime(cursor) {
      guard let row = try cursor.next() else { return nil }
      var reader = ColumnReader(row)
      return try read(&reader)
    }
  }

  private static func all<Value>(
    of statement: Statement, _ arguments: StatementArguments, _ read: (inout ColumnReader) throws -> Value
  ) throws -> [Value] {
    let cursor = try Row.fetchCursor(statement, arguments: arguments)
    var found: [Value] = []
    while let row = try cursor.next() {
      var reader = ColumnReader(row)
      found.append(try read(&reader))
    }
    return found
  }
}

/// PostgreSQL's rows.
extension StorageConnection {
  private static func rows(
    _ statement: StorageStatement, _ values: [any StorageBindable], _ transaction: PostgreSQLTransaction
  ) throws -> PostgreSQLRows {
    try transaction.run(statement.text(for: .postgreSQL), values.map { $0.storageValue.postgreSQLValue })
  }

  private static func first<Value>(
    of rows: PostgreSQLRows, _ read: (inout ColumnReader) throws -> Value
  ) throws -> Value? {
    rows.count == 0 ? nil : try value(of: rows, row: 0, read)
  }

  private static func all<Value>(
    of rows: PostgreSQLRows, _ read: (inout ColumnReader) throws -> Value
  ) throws -> [Value] {
    try (0..<rows.count).map { row in try value(of: rows, row: row, read) }
  }

  private static func value<Value>(
    of rows: PostgreSQLRows, row: Int, _ read: (inout ColumnReader) throws -> Value
  ) throws -> Value {
    var reader = ColumnReader(rows, row: row)
    let value = try read(&reader)
    try reader.finish()
    return value
  }
}
