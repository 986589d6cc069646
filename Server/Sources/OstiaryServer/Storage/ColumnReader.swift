internal import GRDB

/// Reads a row's columns one after the other, in the order in which they were selected. Finding each by its name costs
/// more than the query.
struct ColumnReader {
  private let row: Row
  private var index: Int

  /// Begins with the first column.
  init(_ row: Row) {
    self.row = row
    index = 0
  }

  mutating func next<Value: DatabaseValueConvertible & StatementColumnConvertible>() -> Value {
    defer { index += 1 }
    return row[index]
  }

  /// Passes over some columns.
  mutating func skip(_ count: Int) { index += count }

  /// What `read` makes of the first row of a query, if there is one. The row is read where it is, and not kept.
  static func first<Value>(
    _ statement: Statement, _ arguments: StatementArguments, _ read: (inout ColumnReader) throws -> Value
  ) throws -> Value? {
    let cursor = try Row.fetchCursor(statement, arguments: arguments)
    // The row is gone with the cursor.
    return try withExtendedLifetime(cursor) {
      guard let row = try cursor.next() else { return nil }
      var reader = ColumnReader(row)
      return try read(&reader)
    }
  }
}
