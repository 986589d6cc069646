import Crypto
import Foundation

/// Reads the parts of a back-up one after the other, and refuses a file that is cut off, changed or of another kind. Of the file
/// it holds a part at a time.
struct BackupReader {
  /// What a file has after its header.
  enum Item {
    case table(TableShape)
    case rows([[StorageValue]])
    case end(TableDigest, nextID: Int64?)
  }

  let header: BackupHeader
  /// The tables that the file has to have, in order.
  let tables: [TableShape]
  private var source: BackupSource
  private var current: (shape: TableShape, digest: TableDigest)?
  private var counts: [TableCount] = []
  private var hasEnded = false

  /// Reads the header.
  /// - Parameters:
  ///   - read: gives the next bytes of the file, at most that many; none at its end.
  ///   - tables: the tables of a header's migrations.
  /// - Throws: `backupRefused`, and what `tables` throws.
  init(_ read: @escaping (Int) throws -> Data, tables: (BackupHeader) throws -> [TableShape]) throws {
    var source = BackupSource(read)
    try source.readStart()
    guard case (.header, let content) = try source.next(in: nil),
      let header = BackupFormat.decode(BackupHeader.self, Data(content))
    else { throw source.damaged("has no header that can be read") }
    self.header = header
    self.source = source
    self.tables = try tables(header)
  }

  /// The next item; nil when the file was read to its end, and all of it was right.
  /// - Throws: `backupRefused`.
  mutating func next() throws -> Item? {
    guard !hasEnded else { return nil }
    let (kind, content) = try source.next(in: current?.shape.name)
    switch (kind, current) {
    case (.table, nil): return .table(try begin(content))
    case (.rows, let table?): return .rows(try rows(content, of: table.shape))
    case (.end, let table?): return try end(table.shape, table.digest, content)
    case (.trailer, nil):
      try finish(content)
      return nil
    default: throw source.damaged("has its parts in another order")
    }
  }

  private mutating func begin(_ content: [UInt8]) throws -> TableShape {
    let shape = BackupFormat.decode(TableShape.self, Data(content))
    guard counts.count < tables.count, let shape, shape == tables[counts.count] else {
      throw source.damaged("has a table that the migrations it names don't make")
    }
    current = (shape, TableDigest())
    return shape
  }

  private mutating func rows(_ content: [UInt8], of table: TableShape) throws -> [[StorageValue]] {
    guard let rows = RowCoding.rows(of: content, table) else {
      throw source.damaged("has rows of \(table.name) that can't be read")
    }
    for row in rows { current?.digest.add(row) }
    return rows
  }

  private mutating func end(_ table: TableShape, _ digest: TableDigest, _ content: [UInt8]) throws -> Item {
    guard let end = BackupFormat.decode(BackupTableEnd.self, Data(content)), end.digest == digest,
      table.givesIDs == (end.nextID != nil), end.nextID ?? 1 > 0
    else { throw source.damaged("has other rows of \(table.name) than it says") }
    counts.append(TableCount(name: table.name, rows: digest.count))
    current = nil
    return .end(digest, nextID: end.nextID)
  }

  private mutating func finish(_ content: [UInt8]) throws {
    let rows = counts.reduce(0) { $0 + $1.rows }
    guard counts.count == tables.count,
      BackupFormat.decode(BackupTrailer.self, Data(content)) == BackupTrailer(tables: counts.count, rows: rows)
    else { throw source.damaged("has not the tables that it says") }
    try source.demandEnd()
    hasEnded = true
  }
}

/// The bytes of a back-up, in parts whose digests are right.
private struct BackupSource {
  private let read: (Int) throws -> Data
  private var hash = SHA256()
  private var position = 0

  init(_ read: @escaping (Int) throws -> Data) { self.read = read }

  /// - Throws: `backupRefused` for a file of another kind, or of a format that is not known.
  mutating func readStart() throws {
    guard try bytes(BackupFormat.mark.count, orFewer: true).elementsEqual(BackupFormat.mark) else {
      throw ServerError(.backupRefused, "The file is no back-up of Ostiary.", advice: "Name another one.")
    }
    let version = UInt32(bigEndianBytes: try bytes(4))
    guard version == BackupFormat.version else {
      throw ServerError(
        .backupRefused, "The back-up has the format \(version); this Ostiary reads \(BackupFormat.version).",
        advice: "Use the Ostiary that has made it, or a newer one.")
    }
  }

  /// - Parameter table: the table that the part should belong to.
  mutating func next(in table: String?) throws -> (BackupFormat.Kind, [UInt8]) {
    let head = try bytes(5, of: table)
    let size = Int(UInt32(bigEndianBytes: head[1...]))
    guard let kind = BackupFormat.Kind(rawValue: head[0]), size <= BackupFormat.largestPart else {
      throw damaged("is damaged", table)
    }
    let content = try bytes(size, of: table)
    let digest = Data(hash.finalize())
    guard try bytes(BackupFormat.digestSize, of: table).elementsEqual(digest) else {
      throw damaged("was changed or damaged", table)
    }
    return (kind, content)
  }

  mutating func demandEnd() throws {
    guard try bytes(1, orFewer: true).isEmpty else { throw damaged("has more in it after its end") }
  }

  func damaged(_ what: String, _ table: String? = nil) -> ServerError {
    ServerError(
      .backupRefused,
      "The back-up \(what), in the part that ends near byte \(position)\(table.map { " in the table \($0)" } ?? "").",
      advice: "Take another copy of it, or an earlier back-up.")
  }

  /// Reads as many bytes, in pieces: a length that the file does not have costs no memory.
  private mutating func bytes(_ count: Int, orFewer: Bool = false, of table: String? = nil) throws -> [UInt8] {
    var found: [UInt8] = []
    while found.count < count {
      let piece = try read(min(count - found.count, 1 << 20))
      guard !piece.isEmpty else {
        if orFewer { break }
        throw ServerError(
          .backupRefused,
          "The back-up is cut off after \(position) bytes\(table.map { ", in the table \($0)" } ?? "").",
          advice: "Take another copy of it, or an earlier back-up.")
      }
      hash.update(data: piece)
      position += piece.count
      found += piece
    }
    return found
  }
}

extension UInt32 {
  /// The number that four bytes are.
  fileprivate init(bigEndianBytes bytes: some Sequence<UInt8>) { self = bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
