#if PostgreSQL
  import Foundation
  import OstiaryPostgreSQL

  /// What one statement answered, as a copy that tasks may share.
  struct PostgreSQLResult: Sendable {
    /// How many rows there are.
    let count: Int
    /// The first column as bytes (`bytea`), without what is NULL or of another type.
    let bytes: [Data]
    /// What is true of the first row.
    private let truths: [Bool]

    init(_ rows: PostgreSQLRows) {
      count = rows.count
      bytes = (0..<rows.count).compactMap { rows.bytes($0, 0) }
      truths = (0..<rows.columnCount).map { rows.bool(0, $0) == true }
    }

    /// Whether the first cell is true.
    var isTrue: Bool { isTrue(0) }

    /// Whether a cell of the first row is true.
    func isTrue(_ column: Int) -> Bool { truths.indices.contains(column) && truths[column] }
  }
#endif
