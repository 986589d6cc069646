import Crypto
import Foundation

@testable import OstiaryServer

/// A back-up of two small tables, whose bytes a test may change one by one.
struct SmallBackup {
  static let migrations = [
    StorageMigration(
      "1: two tables",
      .tables(
        """
        CREATE TABLE parents (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
        CREATE TABLE children (
          id TEXT PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parents (id), weight REAL, data BLOB
        ) STRICT, WITHOUT ROWID;
        """))
  ]

  let tables: [TableShape]
  let rows: [String: [[StorageValue]]] = [
    "parents": [[.integer(1), .text("Ad\u{e9}le \u{1f600}")], [.integer(-7), .text("")]],
    "children": [
      [.text("a"), .integer(1), .real(0.1), .blob(Data([0, 1, 255]))], [.text("b"), .integer(1), .null, .null],
      [.text("c"), .integer(-7), .real(-.infinity), .blob(Data())],
    ],
  ]
  let file: Data

  init() throws {
    tables = try TableShape.all(of: Self.migrations)
    let file = Bytes()
    let header = BackupHeader(
      madeAt: Date(timeIntervalSince1970: 1_800_000_000), engine: "SQLite", migrations: Self.migrations.map(\.name),
      keyCheck: nil, key: nil)
    var writer = try BackupWriter(header) { file.data.append($0) }
    for table in tables {
      var digest = TableDigest()
      for row in rows[table.name] ?? [] {
        digest.add(row)
        try writer.take([row], of: table)
      }
      try writer.end(table, digest, nextID: table.givesIDs ? 9 : nil)
    }
    try writer.finish()
    self.file = file.data
  }

  /// The rows of a file, by table.
  func read(_ data: Data) throws -> [String: [[StorageValue]]] {
    var rest = data[...]
    var reader = try BackupReader({ count in
      let piece = Data(rest.prefix(min(count, 7)))
      rest = rest.dropFirst(piece.count)
      return piece
    }) { header in
      guard header.migrations == Self.migrations.map(\.name) else { throw ServerError.storageTooNew }
      return tables
    }
    var found: [String: [[StorageValue]]] = [:]
    var current = ""
    while let item = try reader.next() {
      switch item {
      case .table(let table): current = table.name
      case .rows(let rows): found[current, default: []] += rows
      case .end: break
      }
    }
    return found
  }

  /// The places of the contents of the parts.
  var contents: [Range<Int>] {
    var found: [Range<Int>] = []
    var position = BackupFormat.mark.count + 4
    while position < file.count {
      let size = file[(position + 1)..<(position + 5)].reduce(0) { $0 << 8 | Int($1) }
      found.append((position + 5)..<(position + 5 + size))
      position += 5 + size + BackupFormat.digestSize
    }
    return found
  }

  /// A file with its digests made anew, as a program would make them that wants to be believed.
  func resealed(_ data: Data) -> Data {
    var data = data
    for range in contents {
      let digest = SHA256.hash(data: data[..<range.upperBound])
      data.replaceSubrange(range.upperBound..<(range.upperBound + BackupFormat.digestSize), with: Data(digest))
    }
    return data
  }

  private final class Bytes { var data = Data() }
}
