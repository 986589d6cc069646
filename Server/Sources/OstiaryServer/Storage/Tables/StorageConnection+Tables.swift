import Foundation
internal import GRDB
internal import OstiaryPostgreSQL

/// Whole tables, for copies.
extension StorageConnection {
  /// The engine's dialect.
  var dialect: StorageDialect { (try? sqlite) == nil ? .postgreSQL : .sqlite }

  /// Reads a part of a table, in the order of its key.
  /// - Parameters:
  ///   - last: the key of the last row that was read; nil for the first part.
  ///   - limit: how many rows at most.
  func rows(of table: TableShape, after last: [StorageValue]?, limit: Int) throws -> [[StorageValue]] {
    let columns = table.columns.map(\.name).joined(separator: ", ")
    // Keys are compared by their bytes, also where the database sorts texts in another way.
    let key = table.key.map { position in
      let column = table.columns[position]
      return dialect == .postgreSQL && column.kind == .text ? "\(column.name) COLLATE \"C\"" : column.name
    }.joined(separator: ", ")
    var text = "SELECT \(columns) FROM \(table.name)"
    if let last { text += " WHERE (\(key)) > (\(last.indices.map { "$\($0 + 1)" }.joined(separator: ", ")))" }
    return try rows("\(text) ORDER BY \(key) LIMIT \(limit)", last ?? [], kinds: table.columns.map(\.kind))
  }

  /// Adds rows to a table.
  func insert(_ rows: [[StorageValue]], into table: TableShape) throws {
    let columns = table.columns.map(\.name).joined(separator: ", ")
    // One row by one costs SQLite nothing, and PostgreSQL a round trip.
    let most = dialect == .sqlite ? 1 : min(1000, 60_000 / table.columns.count)
    var rest = rows[...]
    while !rest.isEmpty {
      let part = rest.prefix(most)
      rest = rest.dropFirst(part.count)
      let places = part.indices.enumerated().map { number, _ in
        "(" + table.columns.indices.map { "$\(number * table.columns.count + $0 + 1)" }.joined(separator: ", ") + ")"
      }
      try execute(
        "INSERT INTO \(table.name) (\(columns)) VALUES \(places.joined(separator: ", "))", part.flatMap { $0 })
    }
  }

  /// The number and the sum of a table's rows.
  func digest(of table: TableShape) throws -> TableDigest {
    var digest = TableDigest()
    try forEachPart(of: table) { rows in for row in rows { digest.add(row) } }
    return digest
  }

  /// Calls `body` with each part of a table.
  func forEachPart(of table: TableShape, _ body: ([[StorageValue]]) throws -> Void) throws {
    let limit = 2000
    var last: [StorageValue]?
    while true {
      let rows = try rows(of: table, after: last, limit: limit)
      if !rows.isEmpty { try body(rows) }
      guard rows.count == limit, let row = rows.last else { return }
      last = table.key.map { row[$0] }
    }
  }

  /// Runs statements without values.
  func execute(script: String) throws {
    if let database = try? sqlite { try database.execute(sql: script) } else { try postgreSQL.run(script: script) }
  }

  /// Runs one statement.
  func execute(_ text: String, _ values: [StorageValue]) throws {
    if let database = try? sqlite {
      try database.cachedStatement(sql: text).execute(arguments: Self.arguments(values))
    } else {
      _ = try postgreSQL.run(text, values.map(\.postgreSQLValue))
    }
  }

  /// The rows of a query.
  func rows(
    _ text: String, _ values: [StorageValue] = [], kinds: [TableShape.Column.Kind]
  ) throws -> [[StorageValue]] {
    if let database = try? sqlite {
      let rows = try Row.fetchCursor(database.makeStatement(sql: text), arguments: Self.arguments(values))
      var found: [[StorageValue]] = []
      while let row = try rows.next() {
        found.append(
          kinds.indices.map { index in
            switch kinds[index] {
            case .text: (String?.read(row, at: index)).storageValue
            case .integer: (Int64?.read(row, at: index)).storageValue
            case .real: (Double?.read(row, at: index)).storageValue
            case .blob: (Data?.read(row, at: index)).storageValue
            }
          })
      }
      return found
    }
    let rows = try postgreSQL.run(text, values.map(\.postgreSQLValue), keepsPrepared: false)
    return (0..<rows.count).map { row in
      kinds.indices.map { index in
        switch kinds[index] {
        case .text: rows.text(row, index).storageValue
        case .integer: rows.integer(row, index).storageValue
        case .real: rows.real(row, index).storageValue
        case .blob: rows.bytes(row, index).storageValue
        }
      }
    }
  }
}
