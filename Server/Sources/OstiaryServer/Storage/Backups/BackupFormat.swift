import Crypto
import Foundation
import OstiaryCore

/// The file of a back-up: the same for every engine.
///
/// It begins with a mark of 16 bytes and the format's version (4 bytes). Then come parts, each with its kind (1 byte), the number of
/// its content's bytes (4 bytes), the content, and the SHA-256 of all that stands in the file before. So a part is known to be
/// whole and unchanged before it is read, with all that precedes it, and the last one vouches for the file. Numbers are big-endian.
///
/// The digests find damage. They don't show who has made a file.
enum BackupFormat {
  /// The line end and the zero change when a file goes through a program that takes it for a text.
  static let mark = Data("OSTIARY BACKUP\r\0".utf8)
  static let version: UInt32 = 1
  /// A part of rows ends when it has this many bytes.
  static let fullPart = 1 << 20
  /// The most that a part may have: one row may be larger than a full part.
  static let largestPart = 256 << 20
  static let digestSize = SHA256.byteCount

  /// In the order in which they stand: a header, then for each table its shape, its rows and its end, then a trailer.
  enum Kind: UInt8 {
    case header = 0x48
    case table = 0x54
    case rows = 0x52
    case end = 0x45
    case trailer = 0x5A
  }

  /// JSON that is the same for the same content.
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(value)
  }

  /// - Returns: nil for what is no JSON of this type.
  static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) -> Value? {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try? decoder.decode(type, from: data)
  }
}

/// The first part.
struct BackupHeader: Codable, Hashable, Sendable {
  /// When the snapshot was taken, to the second.
  let madeAt: Date
  /// The engine that it was taken of, for people.
  let engine: String
  /// The names of the migrations that the database has.
  let migrations: [String]
  /// The value by which the database knows its key; nil if it knows none.
  let keyCheck: Data?
  /// The server's key, where that was asked for.
  let key: Secret?
}

/// The end of a table.
struct BackupTableEnd: Codable, Hashable {
  let digest: TableDigest
  /// The id that the engine gives next.
  let nextID: Int64?
}

/// The last part.
struct BackupTrailer: Codable, Hashable {
  let tables: Int
  let rows: Int
}
