import Foundation
internal import GRDB

/// A type that can be read from a column.
protocol StorageColumn {
  /// The value of the column at that position.
  static func read(_ row: Row, at index: Int) -> Self
}

extension String: StorageColumn {
  static func read(_ row: Row, at index: Int) -> String { row[index] }
}

extension Int: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Int { row[index] }
}

extension Int64: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Int64 { row[index] }
}

extension Double: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Double { row[index] }
}

/// From an integer: 0 is false.
extension Bool: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Bool { row[index] }
}

extension Data: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Data { row[index] }
}

/// From the seconds since 1970.
extension Date: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Date { Date(timeIntervalSince1970: row[index]) }
}

extension Optional: StorageColumn where Wrapped: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Wrapped? {
    row.hasNull(atIndex: index) ? nil : Wrapped.read(row, at: index)
  }
}

/// Reads a row's columns one after the other, in the order in which they were selected. A search by name costs more
/// than the query.
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

  /// Skips some columns.
  mutating func skip(_ count: Int) { index += count }
}
