import Crypto
import Foundation

/// What an item of a keychain or keyring holds.
///
///     whole    1 byte 1, then the session
///     ended    1 byte 3, then the entry that says how the session ended
///     pieces   1 byte 2, generation (16 bytes), number of pieces (4 bytes, big-endian), SHA-256 of the session
///
/// A session that is larger than an item should be lies in other items, its pieces. Writing the item that names their
/// generation is what makes them the session, so that it is never half old and half new.
enum ItemEnvelope: Equatable {
  case whole(Data)
  case ended(Data)
  case pieces(generation: UUID, count: Int, digest: Data)

  /// So that damage leads to no long work.
  private static let mostPieces = 10_000

  /// - Returns: `nil` when it is damaged.
  init?(_ item: Data) {
    let bytes = Data(item.dropFirst())
    switch item.first {
    case 1: self = .whole(bytes)
    case 3: self = .ended(bytes)
    case 2 where bytes.count == 52:
      let generation = bytes.prefix(16).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
      let count = bytes.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard count <= Self.mostPieces else { return nil }
      self = .pieces(generation: UUID(uuid: generation), count: count, digest: Data(bytes.suffix(32)))
    default: return nil
    }
  }

  var bytes: Data {
    switch self {
    case .whole(let data): return Data([1]) + data
    case .ended(let entry): return Data([3]) + entry
    case .pieces(let generation, let count, let digest):
      let generation = withUnsafeBytes(of: generation.uuid) { Data($0) }
      let count = withUnsafeBytes(of: UInt32(truncatingIfNeeded: count).bigEndian) { Data($0) }
      return Data([2]) + generation + count + digest
    }
  }

  static func digest(_ data: Data) -> Data { Data(SHA256.hash(data: data)) }
}
