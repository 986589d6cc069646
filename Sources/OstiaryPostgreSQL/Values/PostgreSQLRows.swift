#if PostgreSQL
  import CPQ
  public import Foundation

  /// What one statement answered. A cell that is not there, is NULL, or is not of the kind that is asked for is
  /// `nil`.
  public final class PostgreSQLRows {
    /// The numbers of types in `pg_type.dat`.
    private enum TypeNumber {
      static let boolean: Oid = 16
      static let bytes: Oid = 17
    }

    private let result: OpaquePointer
    /// How many rows there are.
    public let count: Int
    /// How many columns each has.
    public let columnCount: Int
    /// How many rows a change has changed, or a reading has read.
    public let affected: Int

    /// Takes a `PGresult` over.
    init(_ result: OpaquePointer) {
      self.result = result
      count = Int(PQntuples(result))
      columnCount = Int(PQnfields(result))
      affected = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    deinit {
      PQclear(result)
    }

    /// The bytes of a cell, which are followed by a zero; `nil` for NULL and where there is no cell.
    private func cell(_ row: Int, _ column: Int) -> UnsafeBufferPointer<CChar>? {
      guard (0..<count).contains(row), (0..<columnCount).contains(column) else { return nil }
      let (row, column) = (CInt(row), CInt(column))
      guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else { return nil }
      return UnsafeBufferPointer(start: value, count: Int(PQgetlength(result, row, column)))
    }

    /// A cell that is written as text, as the server writes it.
    private func written(_ row: Int, _ column: Int) -> String? {
      guard let start = cell(row, column)?.baseAddress, PQfformat(result, CInt(column)) == 0 else { return nil }
      return String(validatingCString: start)
    }

    private func isColumn(_ column: Int, _ type: Oid) -> Bool { PQftype(result, CInt(clamping: column)) == type }

    /// Whether a cell is NULL, or not there.
    public func isNull(_ row: Int, _ column: Int) -> Bool { cell(row, column) == nil }

    /// A whole number: of an integer, of a `numeric` without a fraction, or 0 or 1 of a `boolean`.
    public func integer(_ row: Int, _ column: Int) -> Int64? {
      guard let text = written(row, column) else { return nil }
      return isColumn(column, TypeNumber.boolean) ? (text == "t" ? 1 : 0) : Int64(text)
    }

    /// A number of any kind, infinity and NaN as well.
    public func real(_ row: Int, _ column: Int) -> Double? {
      written(row, column).flatMap { Double($0) }
    }

    /// A text, or what the server writes for a value of another type; `nil` for what is not UTF-8.
    public func text(_ row: Int, _ column: Int) -> String? { written(row, column) }

    /// A `boolean`, or the integer 0 or 1.
    public func bool(_ row: Int, _ column: Int) -> Bool? {
      switch integer(row, column) {
      case 0: false
      case 1: true
      default: nil
      }
    }

    /// The bytes of a `bytea`, however the server writes them.
    public func bytes(_ row: Int, _ column: Int) -> Data? {
      guard let cell = cell(row, column), let start = cell.baseAddress, isColumn(column, TypeNumber.bytes) else {
        return nil
      }
      if PQfformat(result, CInt(column)) == 1 { return Data(buffer: cell) }
      return start.withMemoryRebound(to: UInt8.self, capacity: cell.count + 1) { text in
        var count = 0
        guard let bytes = PQunescapeBytea(text, &count) else { return nil }
        defer { PQfreemem(bytes) }
        return Data(bytes: bytes, count: count)
      }
    }
  }
#endif
