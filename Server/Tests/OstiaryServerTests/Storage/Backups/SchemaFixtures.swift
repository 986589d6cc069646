import Foundation
import OstiaryCore

@testable import OstiaryServer

/// Databases of the past, as files in `Fixtures/Schemas`: for each schema that was in use `17.sql`, which `pg_dump` has written, and
/// `17.backup`, a back-up with its key. Both have rows in every table. They are never written again.
///
/// The users, sessions and tokens are those of ``EarlierDatabaseTests``.
enum SchemaFixtures {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/Schemas", directoryHint: .isDirectory)

  /// The number of the newest schema.
  static var newest: Int {
    Migrations.all(of: houseDoors).last.flatMap { Int($0.name.prefix { $0 != ":" }) } ?? 0
  }

  /// The numbers of those that there are.
  static var present: [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".sql") }.compactMap { Int($0.dropLast(4)) }.sorted()
  }

  static func file(_ number: Int, _ suffix: String) -> URL { folder.appending(path: "\(number).\(suffix)") }

  static let hint = """
    The newest schema has no fixture. When no migration will be added to it any more, make one: \
    OSTIARY_FIXTURE=write Scripts/test.sh server SchemaFixtureTests
    """

  /// Makes the files of the newest schema, unless there are some.
  static func write() async throws {
    guard !present.contains(newest) else { return }
    let old = try await EarlierDatabaseTests.folder()
    let filled = try await DatabasePlace(.postgreSQL)
    let storage = try ServerStorage(folder: old.url)
    try await storage.close()
    let first = old.url.appending(path: "first.backup")
    let source = ServerConfiguration.Storage.folder(old.url)
    _ = try await source.backUp(to: first, replacing: false, keys: nil)
    _ = try await filled.storage.restore(first, keys: storage.keys)
    // Other values than a key's would be those of another key.
    try await filled.execute(
      """
      INSERT INTO server_keys (number, check_value, stage, offered_at, used_at)
        SELECT 1, check_value, 'current', 1795535200, 1795535200 FROM key_check;
      """)
    for table in try TableShape.all(of: Migrations.all(of: houseDoors)) { try await fill(table, filled) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try await filled.storage.backUp(to: file(newest, "backup"), replacing: false, keys: storage.keys)
    try await filled.dump().write(to: file(newest, "sql"), atomically: true, encoding: .utf8)
  }

  /// Gives a table that is empty a row of the simplest values that it takes. A column that refers to another table gets a value
  /// from there.
  private static func fill(_ table: TableShape, _ place: DatabasePlace) async throws {
    guard try await place.answer("SELECT count(*) FROM \(table.name);") == "0" else { return }
    let names = table.columns.map(\.name)
    var values: [String] = []
    for column in table.columns {
      let parent = try await place.answer(
        """
        SELECT confrelid::regclass || ' ' || (SELECT attname FROM pg_attribute
            WHERE attrelid = c.confrelid AND attnum = c.confkey[array_position(c.conkey, a.attnum)])
          FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
          WHERE c.contype = 'f' AND c.conrelid = '\(table.name)'::regclass AND a.attname = '\(column.name)' LIMIT 1;
        """
      ).split(separator: " ")
      if parent.count == 2 {
        values.append("(SELECT \(parent[1]) FROM \(parent[0]) ORDER BY 1 LIMIT 1)")
      } else {
        values.append(value(of: column))
      }
    }
    try await place.execute(
      "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")));")
  }

  private static func value(of column: TableShape.Column) -> String {
    switch column.kind {
    // A year from the moment of the other rows, so that nothing is cleared away.
    case .real: "1827071200"
    case .integer: "1"
    case .blob: "'\\x01'"
    case .text: column.name.hasSuffix("attributes") || column.name.hasSuffix("json") ? "'{}'" : "'fixture'"
    }
  }
}

extension DatabasePlace {
  /// What PostgreSQL answers to a query, one row a line.
  func answer(_ query: String, database: String? = nil) async throws -> String {
    guard let server else { return "" }
    let (output, errors) = try await server.execute((database.map { "\\c \($0)\n" } ?? "") + query)
    guard errors.isEmpty else { throw PostgreSQLServer.Failed(program: "psql", output: errors) }
    return output.trimmingCharacters(in: .newlines)
  }

  /// PostgreSQL's database as statements.
  func dump() async throws -> String { try await server?.dump() ?? "" }
}
