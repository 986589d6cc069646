internal import GRDB
internal import OstiaryPostgreSQL

/// Reads a row's columns one after the other, in the order in which they were selected. A search by name costs more
/// than the query.
struct ColumnReader {
  private enum Source {
    case sqlite(Row)
    case postgreSQL(PostgreSQLRows, row: Int)
  }

  private let source: Source
  private var index = 0
  /// Whether a cell had no value of the type that was asked for.
  private var isMismatched = false

  /// Begins with the first column.
  init(_ row: Row) {
    source = .sqlite(row)
  }

  /// Begins with the first column of a row.
  init(_ rows: PostgreSQLRows, row: Int) {
    source = .postgreSQL(rows, row: row)
  }

  mutating func next<Value: StorageColumn>(_: Value.Type = Value.self) -> Value {
    defer { index += 1 }
    switch source {
    case .sqlite(let row): return Value.read(row, at: index)
    case .postgreSQL(let rows, let row):
      if let value = Value.read(rows, row, at: index) { return value }
      isMismatched = true
      return Value.placeholder
    }
  }

  /// Skips some columns.
  mutating func skip(_ count: Int) { index += count }

  /// Ends the reading of a row.
  /// - Throws: `storageCorrupt` if a cell had no value of the type that was asked for.
  func finish() throws(ServerError) {
    guard isMismatched else { return }
    throw ServerError(
      .storageCorrupt, "A stored row has a value of another type.", advice: "Restore a backup, or report this.")
  }
}
