internal import GRDB
internal import OstiaryCore

/// What the body of a call of the storage reads and writes with, within one transaction.
///
/// Bodies are synchronous and run on the storage's own threads, never on those of Swift's tasks. A connection is good until
/// its body returns. Statements stay prepared; rows are read where they are.
struct StorageConnection {
  /// SQLite's connection. Only this folder and tests use it.
  let engine: GRDB.Database
  /// Told of every statement, in tests.
  private let recorder: StatementRecorder?

  init(_ engine: GRDB.Database, recorder: StatementRecorder? = nil) {
    self.engine = engine
    self.recorder = recorder
  }

  /// Runs a statement.
  /// - Returns: how many rows it has inserted, changed or deleted.
  @discardableResult
  func run(_ statement: StorageStatement, _ values: any StorageBindable...) throws -> Int {
    try prepared(statement).execute(arguments: Self.arguments(values))
    return engine.changesCount
  }

  /// What `read` makes of the first row, if there is one.
  func first<Value>(
    _ statement: StorageStatement, _ values: any StorageBindable..., read: (inout ColumnReader) throws -> Value
  ) throws -> Value? {
    try first(of: prepared(statement), Self.arguments(values), read)
  }

  /// What `read` makes of each row.
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

  /// The number that a query counts.
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

/// Statements that are put together at run time.
extension StorageConnection {
  /// What `read` makes of the first row, if there is one.
  func first<Value>(_ query: StorageQuery, read: (inout ColumnReader) throws -> Value) throws -> Value? {
    try first(of: prepared(query), Self.arguments(query.values), read)
  }

  /// What `read` makes of each row.
  func all<Value>(_ query: StorageQuery, read: (inout ColumnReader) throws -> Value) throws -> [Value] {
    try all(of: prepared(query), Self.arguments(query.values), read)
  }

  /// The number that a query counts.
  func count(_ query: StorageQuery) throws -> Int {
    try first(of: prepared(query), Self.arguments(query.values)) { $0.next(Int.self) } ?? 0
  }
}

extension StorageConnection {
  private func prepared(_ statement: StorageStatement) throws -> Statement {
    recorder?.note(statement.text)
    return try engine.cachedStatement(sql: statement.text)
  }

  /// Not kept: there may be many.
  private func prepared(_ query: StorageQuery) throws -> Statement {
    recorder?.note(query.text)
    return try engine.makeStatement(sql: query.text)
  }

  private static func arguments(_ values: [any StorageBindable]) -> StatementArguments {
    StatementArguments(values.map { $0.storageValue.databaseValue })
  }

  private func first<Value>(
    of statement: Statement, _ arguments: StatementArguments, _ read: (inout ColumnReader) throws -> Value
  ) throws -> Value? {
    let cursor = try Row.fetchCursor(statement, arguments: arguments)
    // The row is gone with the cursor.
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

/// Keeps the text of every statement that was run, once each. For tests.
final class StatementRecorder: Sendable {
  private let noted = Locked<Set<String>>([])

  func note(_ text: String) {
    noted.withLock { _ = $0.insert(text) }
  }

  /// The texts so far.
  var texts: Set<String> { noted.withLock { $0 } }
}
