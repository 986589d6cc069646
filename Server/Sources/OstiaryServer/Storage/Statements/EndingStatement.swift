/// A statement after which caches have to forget something: it ends it, or changes what they hold.
///
/// It has a type of its own so that no caller can forget to say what that is. In a database that several servers share, the engine
/// numbers and announces what was said, with the commit of the transaction, and the call returns when every server knows.
struct EndingStatement: Sendable {
  let statement: StorageStatement

  /// - Parameter parts: Joined by blanks.
  init(_ parts: StaticString...) {
    statement = StorageStatement(parts: parts)
  }
}

extension StorageConnection {
  /// Runs a statement that ends something.
  /// - Parameter end: what it ends, if it changes a row.
  /// - Returns: the number of rows changed or deleted.
  @discardableResult
  func run(_ ending: EndingStatement, _ values: any StorageBindable..., ends end: StorageEnd) throws -> Int {
    let count = try changes(of: ending.statement, values)
    if count > 0 { note([end]) }
    return count
  }

  /// Runs a statement that ends something, and reads the rows that it returns.
  /// - Parameter ends: what is ended by the rows.
  func all<Value>(
    _ ending: EndingStatement, _ values: any StorageBindable..., ends: ([Value]) -> [StorageEnd],
    read: (inout ColumnReader) throws -> Value
  ) throws -> [Value] {
    let found = try all(of: ending.statement, values, read)
    if !found.isEmpty { note(ends(found)) }
    return found
  }
}
