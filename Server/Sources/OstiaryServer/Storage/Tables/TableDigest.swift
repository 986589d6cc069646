import Crypto
import Foundation

/// The number of a table's rows, and a sum over their contents that does not depend on their order.
struct TableDigest: Hashable, Sendable, Codable {
  private(set) var count = 0
  /// The sum of the rows' hashes (SHA-256), in 64-bit parts.
  private(set) var sum: [UInt64] = [0, 0, 0, 0]

  mutating func add(_ row: [StorageValue]) {
    var bytes = Data()
    for value in row { RowCoding.append(value, to: &bytes) }
    count += 1
    SHA256.hash(data: bytes).withUnsafeBytes { hash in
      for part in 0..<4 {
        sum[part] &+= UInt64(bigEndian: hash.loadUnaligned(fromByteOffset: part * 8, as: UInt64.self))
      }
    }
  }
}

/// The bytes of values: one for the type, then a fixed or counted number.
enum RowCoding {
  static func append(_ value: StorageValue, to bytes: inout Data) {
    switch value {
    case .null: bytes.append(0)
    case .integer(let number):
      bytes.append(1)
      append(UInt64(bitPattern: number), to: &bytes)
    case .real(let number):
      bytes.append(2)
      append(number.bitPattern, to: &bytes)
    case .text(let text):
      bytes.append(3)
      append(UInt64(text.utf8.count), to: &bytes)
      bytes.append(contentsOf: text.utf8)
    case .blob(let data):
      bytes.append(4)
      append(UInt64(data.count), to: &bytes)
      bytes.append(data)
    }
  }

  static func append(_ number: UInt64, to bytes: inout Data) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
