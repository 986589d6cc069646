internal import GRDB
internal import OstiaryCore

/// The connection with which the body of a storage call reads and writes, within one transaction.
///
/// Bodies are synchronous and run on the storage's own threads, never on those of Swift's tasks. A connection is valid
/// until its body returns. Statements stay prepared; rows are read in place.
struct StorageConnection {
  /// SQLite's connection. Only this folder and tests use it.
  let engine: GRDB.Database
  /// Notified of every statement, in tests.
  private let recorder: StatementRecorder?

  init(_ engine: GRDB.Database, recorder: StatementRecorder? = nil) {
    self.engine = engine
    self.recorder = recorder
  }

  /// Runs a statement.
  /// - Returns: the number of rows inserted, changed or deleted.
  @discardableResult
  func run(_ statement: StorageStatement, _ values: any StorageBindable...) throws -> Int {
    try prepared(statement).execute(arguments: Self.arguments(values))
    return engine.changesCount
  }

  /// The result of `read` for the first row, if there is one.
  func first<Value>(
    _ statement: StorageStatement, _ values: any StorageBindable..., read: (inout ColumnReader) throws -> Value
  ) throws -> Value? {
    try first(of: prepared(statement), Self.arguments(values), read)
  }

  /// The results of `read` for each row.
  func all<Value>(
    _ statement: StorageStatement, _ values: any StorageBindable..., read: (inout ColumnReader) throws -> Value
  ) throws -> [Value] {
    try all(of: prepared(statement), Self.arguments(values), read)
  }

  /// The first column of the first row, if there is one.
  func value<Value: StorageColumn>(_ statement: StorageStatement, _ values: any StorageBindable...) throws -> Value? {
    try first(of: prepared(statement), Self.arguments(values)) { $0.next(Value?.self) } ?? nil
  }

  /// The first column of each row.
  func values<Value: StorageColumn>(
    _ statement: StorageStatement, _ values: any StorageBindable...
  ) throws -> [Value] {
    try all(of: prepared(statement), Self.arguments(values)) { $0.next() }
  }

  /// The result of a counting query.
  func count(_ statement: StorageStatement, _ values: any StorageBindable...) throws -> Int {
    try first(of: prepared(statement), Self.arguments(values)) { $0.next(Int.self) } ?? 0
  }

  /// Whether a query finds a row.
  func exists(_ statement: StorageStatement, _ values: any StorageBindable...) throws -> Bool {
    try first(of: prepared(statement), Self.arguments(values)) { _ in true } ?? false
  }

  /// Inserts a row.
  /// - Parameter statement: ends with `RETURNING` and the column of the id.
  /// - Returns: the id that the engine has given it.
  func newID(_ statement: StorageStatement, _ values: any StorageBindable...) throws -> Int64 {
    let id = try first(of: prepared(statement), Self.arguments(values)) { $0.next(Int64.self) }
    guard let id else { throw ServerError(.storageFailed, "A row has got no id.", advice: "Report this.") }
    return id
  }
}

/// Statements that are composed at run time.
extension StorageConnection {
  /// The result of `read` for the first row, if there is one.
  func first<Value>(_ query: StorageQuery, read: (inout ColumnReader) throws -> Value) throws -> Value? {
    try first(of: prepared(query), Self.arguments(query.values), read)
  }

  /// The results of `read` for each row.
  func all<Value>(_ query: StorageQuery, read: (inout ColumnReader) throws -> Value) throws -> [Value] {
    try all(of: prepared(query), Self.arguments(query.values), read)
  }

  /// The result of a counting query.
  func count(_ query: StorageQuery) throws -> Int {
    try first(of: prepared(query), Self.arguments(query.values)) { $0.next(Int.self) } ?? 0
  }
}

extension StorageConnection {
  private func prepared(_ statement: StorageStatement) throws -> Statement {
    recorder?.note(statement.text)
    return try engine.cachedStatement(sql: statement.text)
  }

  /// Not cached: there may be many.
  private func prepared(_ query: StorageQuery) throws -> Statement {
    recorder?.note(query.text)
    return try engine.makeStatement(sql: query.text)
  }

  private static func arguments(_ values: [any StorageBindable]) -> StatementArguments {
    // As existentials: the library maps a list of one type by a key path, which costs more than the statement.
    StatementArguments(values.map { value -> (any DatabaseValueConvertible)? in value.storageValue.databaseValue })
  }

  private func first<Value>(
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

  private func all<Value>(
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

/// Records the text of every statement that was run, once each. For tests.
final class StatementRecorder: Sendable {
  private let noted = Locked<Set<String>>([])

  func note(_ text: String) {
    noted.withLock { _ = $0.insert(text) }
  }

  /// The texts so far.
  var texts: Set<String> { noted.withLock { $0 } }
}
