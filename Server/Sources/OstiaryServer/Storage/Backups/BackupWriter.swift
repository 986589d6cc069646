import Crypto
import Foundation

/// Writes the parts of a back-up.
struct BackupWriter: CopyTarget {
  private let write: (Data) throws -> Void
  private var hash = SHA256()
  private var rows = Data()
  /// The table whose rows are being written.
  private var current: TableShape?
  private(set) var counts: [TableCount] = []

  /// Begins the file.
  /// - Parameter write: adds bytes to the file.
  init(_ header: BackupHeader, _ write: @escaping (Data) throws -> Void) throws {
    self.write = write
    var start = BackupFormat.mark
    withUnsafeBytes(of: BackupFormat.version.bigEndian) { start.append(contentsOf: $0) }
    try add(start)
    try add(.header, BackupFormat.encode(header))
  }

  mutating func take(_ rows: [[StorageValue]], of table: TableShape) throws {
    try begin(table)
    for row in rows {
      for value in row { RowCoding.append(value, to: &self.rows) }
      if self.rows.count >= BackupFormat.fullPart { try flush(table) }
    }
  }

  mutating func end(_ table: TableShape, _ digest: TableDigest, nextID: Int64?) throws {
    try begin(table)
    try flush(table)
    try add(.end, BackupFormat.encode(BackupTableEnd(digest: digest, nextID: nextID)))
    counts.append(TableCount(name: table.name, rows: digest.count))
    current = nil
  }

  /// Ends the file.
  mutating func finish() throws {
    let trailer = BackupTrailer(tables: counts.count, rows: counts.reduce(0) { $0 + $1.rows })
    try add(.trailer, BackupFormat.encode(trailer))
  }

  private mutating func begin(_ table: TableShape) throws {
    guard current == nil else { return }
    current = table
    try add(.table, BackupFormat.encode(table))
  }

  private mutating func flush(_ table: TableShape) throws {
    guard !rows.isEmpty else { return }
    guard rows.count <= BackupFormat.largestPart else {
      throw ServerError(.storageFailed, "The table \(table.name) has a row that is too large.", advice: "Report this.")
    }
    try add(.rows, rows)
    rows.removeAll(keepingCapacity: true)
  }

  private mutating func add(_ kind: BackupFormat.Kind, _ content: Data) throws {
    var head = Data([kind.rawValue])
    withUnsafeBytes(of: UInt32(clamping: content.count).bigEndian) { head.append(contentsOf: $0) }
    try add(head)
    try add(content)
    try add(Data(hash.finalize()))
  }

  private mutating func add(_ data: Data) throws {
    hash.update(data: data)
    try write(data)
  }
}
