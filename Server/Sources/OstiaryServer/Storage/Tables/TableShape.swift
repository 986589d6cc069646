import Foundation
internal import GRDB

/// A table as all engines have it, read from an empty database of SQLite that the migrations have made.
struct TableShape: Hashable, Codable, Sendable {
  /// A column and its type, which SQLite's words name.
  struct Column: Hashable, Codable, Sendable {
    enum Kind: String, Codable, Sendable {
      case text = "TEXT"
      case integer = "INTEGER"
      case real = "REAL"
      case blob = "BLOB"
    }

    let name: String
    let kind: Kind
  }

  let name: String
  let columns: [Column]
  /// The positions of the primary key's columns, in the key's order.
  let key: [Int]
  /// Whether the engine gives the ids, and never one twice.
  let givesIDs: Bool
}

extension TableShape {
  /// The tables that these migrations make, but those that are of one database. A table comes after those that its rows refer to.
  static func all(of migrations: [StorageMigration]) throws -> [TableShape] {
    let database = try DatabaseQueue()
    try Schema.migrate(database, with: migrations)
    return try database.read { db in
      let names = try String.fetchAll(
        db,
        sql:
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
      ).filter { $0 != "grdb_migrations" && !LeaseSchema.tables.contains($0) }
      var waiting = try names.map { name in (shape: try read(name, in: db), parents: try parents(of: name, in: db)) }
      var sorted: [TableShape] = []
      while !waiting.isEmpty {
        let known = Set(sorted.map(\.name))
        let ready = waiting.filter { table in table.parents.subtracting([table.shape.name]).isSubset(of: known) }
        guard !ready.isEmpty else { throw failure("Tables refer to each other in a circle.") }
        sorted += ready.map(\.shape)
        waiting.removeAll { table in ready.contains { $0.shape.name == table.shape.name } }
      }
      return sorted
    }
  }

  private static func read(_ name: String, in db: Database) throws -> TableShape {
    let rows = try Row.fetchAll(
      db, sql: "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", arguments: [name])
    let columns = try rows.map { row in
      guard let kind = Column.Kind(rawValue: row["type"]) else { throw failure("\(name) has a column without a type.") }
      return Column(name: row["name"], kind: kind)
    }
    let key = rows.enumerated().map { (position: $0.offset, rank: $0.element["pk"] as Int) }
      .filter { $0.rank > 0 }.sorted { $0.rank < $1.rank }.map(\.position)
    guard !key.isEmpty else { throw failure("\(name) has no primary key.") }
    let text = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [name]) ?? ""
    return TableShape(name: name, columns: columns, key: key, givesIDs: text.contains("AUTOINCREMENT"))
  }

  private static func parents(of name: String, in db: Database) throws -> Set<String> {
    Set(try String.fetchAll(db, sql: "SELECT \"table\" FROM pragma_foreign_key_list(?)", arguments: [name]))
  }

  private static func failure(_ message: String) -> ServerError {
    ServerError(.storageFailed, message, advice: "Report this.")
  }
}
