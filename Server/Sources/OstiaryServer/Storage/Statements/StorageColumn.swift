import Foundation
internal import GRDB
internal import OstiaryPostgreSQL

/// A type that can be read from a column.
protocol StorageColumn {
  /// The value of a column of SQLite.
  static func read(_ row: Row, at index: Int) -> Self
  /// The value of a cell of PostgreSQL; nil if it has none of this type.
  static func read(_ rows: PostgreSQLRows, _ row: Int, at index: Int) -> Self?
  /// Stands for a cell that has no value of this type, until the reader has thrown.
  static var placeholder: Self { get }
}

extension String: StorageColumn {
  static func read(_ row: Row, at index: Int) -> String { row[index] }
  static func read(_ rows: PostgreSQLRows, _ row: Int, at index: Int) -> String? { rows.text(row, index) }
  static var placeholder: String { "" }
}

extension Int: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Int { row[index] }
  static func read(_ rows: PostgreSQLRows, _ row: Int, at index: Int) -> Int? {
    rows.integer(row, index).flatMap { Int(exactly: $0) }
  }
  static var placeholder: Int { 0 }
}

extension Int64: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Int64 { row[index] }
  static func read(_ rows: PostgreSQLRows, _ row: Int, at index: Int) -> Int64? { rows.integer(row, index) }
  static var placeholder: Int64 { 0 }
}

extension Double: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Double { row[index] }
  static func read(_ rows: PostgreSQLRows, _ row: Int, at index: Int) -> Double? { rows.real(row, index) }
  static var placeholder: Double { 0 }
}

/// From an integer: 0 is false.
extension Bool: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Bool { row[index] }
  static func read(_ rows: PostgreSQLRows, _ row: Int, at index: Int) -> Bool? {
    rows.integer(row, index).map { $0 != 0 }
  }
  static var placeholder: Bool { false }
}

extension Data: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Data { row[index] }
  static func read(_ rows: PostgreSQLRows, _ row: Int, at index: Int) -> Data? { rows.bytes(row, index) }
  static var placeholder: Data { Data() }
}

/// From the seconds since 1970.
extension Date: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Date { Date(timeIntervalSince1970: row[index]) }
  static func read(_ rows: PostgreSQLRows, _ row: Int, at index: Int) -> Date? {
    rows.real(row, index).map { Date(timeIntervalSince1970: $0) }
  }
  static var placeholder: Date { Date(timeIntervalSince1970: 0) }
}

extension Optional: StorageColumn where Wrapped: StorageColumn {
  static func read(_ row: Row, at index: Int) -> Wrapped? {
    row.hasNull(atIndex: index) ? nil : Wrapped.read(row, at: index)
  }
  static func read(_ rows: PostgreSQLRows, _ row: Int, at index: Int) -> Wrapped?? {
    if rows.isNull(row, index) { return .some(nil) }
    return Wrapped.read(rows, row, at: index).map { .some($0) }
  }
  static var placeholder: Wrapped? { nil }
}
