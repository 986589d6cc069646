import Foundation

extension RowCoding {
  /// The rows that bytes are.
  /// - Returns: nil if they are not whole rows of the table with values of its columns' types.
  static func rows(of bytes: [UInt8], _ table: TableShape) -> [[StorageValue]]? {
    var reader = RowReader(bytes)
    var rows: [[StorageValue]] = []
    while !reader.isAtEnd {
      var row: [StorageValue] = []
      row.reserveCapacity(table.columns.count)
      for column in table.columns {
        guard let value = reader.value(), value.fits(column.kind) else { return nil }
        row.append(value)
      }
      rows.append(row)
    }
    return rows
  }
}

extension StorageValue {
  fileprivate func fits(_ kind: TableShape.Column.Kind) -> Bool {
    switch (self, kind) {
    case (.null, _), (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): true
    default: false
    }
  }
}

/// Reads values from bytes that may be any.
private struct RowReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  /// - Returns: nil if no value begins here, or it is cut off.
  mutating func value() -> StorageValue? {
    switch take(1)?.first {
    case 0: .null
    case 1: number().map { .integer(Int64(bitPattern: $0)) }
    case 2: number().map { .real(Double(bitPattern: $0)) }
    case 3: counted().flatMap { String(validating: $0, as: UTF8.self) }.map { .text($0) }
    case 4: counted().map { .blob(Data($0)) }
    default: nil
    }
  }

  private mutating func counted() -> ArraySlice<UInt8>? { number().flatMap { take($0) } }

  private mutating func number() -> UInt64? { take(8)?.reduce(0) { $0 << 8 | UInt64($1) } }

  private mutating func take(_ count: UInt64) -> ArraySlice<UInt8>? {
    guard count <= UInt64(bytes.count - position) else { return nil }
    let end = position + Int(count)
    defer { position = end }
    return bytes[position..<end]
  }
}
