#if PostgreSQL
  import CPQ
  import Foundation

  /// What one statement answered.
  struct PostgreSQLResult: Sendable {
    /// The cells as PostgreSQL writes them as text; `nil` for NULL.
    let rows: [[Data?]]
    /// How many rows a change has changed.
    let affected: Int

    init(_ result: OpaquePointer) {
      affected = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
      rows = (0..<PQntuples(result)).map { row in
        (0..<PQnfields(result)).map { column in
          guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else { return nil }
          return Data(bytes: value, count: Int(PQgetlength(result, row, column)))
        }
      }
    }

    /// Whether the first cell is true.
    var isTrue: Bool { isTrue(0) }

    /// Whether a cell of the first row is true.
    func isTrue(_ column: Int) -> Bool {
      guard let row = rows.first, row.indices.contains(column) else { return false }
      return row[column] == Data("t".utf8)
    }

    /// The first column as bytes (`bytea`).
    var bytes: [Data] { rows.compactMap { $0.first.flatMap { $0 }.flatMap(Self.unescape) } }

    private static func unescape(_ text: Data) -> Data? {
      (text + [0]).withUnsafeBytes { text in
        var count = 0
        guard let bytes = PQunescapeBytea(text.bindMemory(to: UInt8.self).baseAddress, &count) else { return nil }
        defer { PQfreemem(bytes) }
        return Data(bytes: bytes, count: count)
      }
    }
  }
#endif
