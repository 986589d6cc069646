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

  mutating func next<Value: StorageColumn>(_: Value.Type = Value.self) -> Value {
    defer { index += 1 }
    return Value.read(row, at: index)
  }

  /// Passes over some columns.
  mutating func skip(_ count: Int) { index += count }
}
