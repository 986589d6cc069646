internal import Crypto
import Foundation
internal import OstiaryCore

/// The salt by which a token's successor is derived, and the seed that is stored of it.
///
/// It is settled when the token is issued, so that a database that has lost the token's use still knows the successor which the client
/// was given. The salt is a keyed hash of the seed: until the token is used, a reader of the database who has the token, and not the
/// server's key, can't derive the next one.
struct SuccessorSalt: Sendable {
  let seed: Data
  let salt: Data

  init(seed: Data = Data(RandomBytes.make(16)), _ key: SuccessorKey) {
    self.seed = seed
    salt = key.salt(of: seed)
  }
}

/// The key of salts, derived from the server's own.
final class SuccessorKey: StorageCompanion {
  private let key: SymmetricKey

  private init(_ key: ServerKey) { self.key = key.key(for: "token.successor") }

  /// The key of a storage.
  static func of(_ storage: ServerStorage) -> SuccessorKey { storage.shared { SuccessorKey(storage.key) } }

  func salt(of seed: Data) -> Data { Data(HMAC<SHA256>.authenticationCode(for: seed, using: key)) }

  func forgetAll() {}
}

/// What a grant's row has about the successor of its live token.
struct SuccessorRow: Sendable {
  /// Nil where the token was issued by an older server, or does not rotate.
  let seed: Data?
  private let mark: Data?
  private let timeline: Int64?
  /// The number of the database's timeline now.
  let current: Int64

  /// In the order in which they are read; the number of the current timeline follows.
  static let columns: StaticString = "grants.successor_seed, grants.successor_mark, grants.timeline,"

  init(_ reader: inout ColumnReader) {
    (seed, mark, timeline) = (reader.next(), reader.next(), reader.next())
    current = reader.next()
  }

  /// The mark of a successor. It names the live token as well: a server of the version before replaces that one and leaves the mark,
  /// which then fits no token.
  static func mark(of successor: TokenHash, after leaf: Data) -> Data {
    Data(SHA256.hash(data: leaf + successor.data))
  }

  /// Whether a token follows the live one.
  func names(_ successor: TokenHash, after leaf: Data) -> Bool {
    mark.map { ConstantTime.isEqual($0, Self.mark(of: successor, after: leaf)) } ?? false
  }

  /// Whether the live token was written before commits may have been lost. Within one timeline no client has a successor that the
  /// database does not know.
  var isOfEarlierTimeline: Bool { timeline.map { $0 < current } ?? false }
}
