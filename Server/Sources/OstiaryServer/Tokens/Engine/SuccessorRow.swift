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

  init(_ key: SuccessorKey) {
    seed = key.newSeed()
    salt = key.salt(of: seed)
  }
}

/// The keys of salts, derived from the server's own.
///
/// A seed of the server's first key is 16 random bytes; one of a later key has the key's number before them, in 4 bytes. Where the
/// key was changed since, the column has the salt itself, sealed: no other seed would give it with another key.
final class SuccessorKey: StorageCompanion {
  private static let seedSize = 16
  private static let numberSize = 4
  private static let sealedSize = numberSize + 12 + 32 + 16
  private let ring: KeyRing

  private init(_ ring: KeyRing) { self.ring = ring }

  /// The key of a storage.
  static func of(_ storage: ServerStorage) -> SuccessorKey { storage.shared { SuccessorKey(storage.key) } }

  /// What the column has of keys with a number begins with it.
  static func start(of number: Int64) -> Data {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Data($0) }
  }

  func newSeed() -> Data {
    let number = ring.keys(for: "token.successor").current.number
    let random = Data(RandomBytes.make(Self.seedSize))
    return number == 1 ? random : Self.start(of: number) + random
  }

  /// The salt that a column stands for. Where its key does not count any more, it is one that no token was made with.
  func salt(of seed: Data) -> Data {
    if let salt = sealedSalt(seed) { return salt }
    let keys = ring.keys(for: "token.successor")
    let key = Self.number(of: seed).flatMap { keys[$0] } ?? keys.current.key
    return Data(HMAC<SHA256>.authenticationCode(for: seed, using: key))
  }

  /// The same salt, sealed with the current key; nil if its own key does not count any more.
  func resealed(_ seed: Data) throws -> Data? {
    let keys = ring.keys(for: "token.successor")
    guard let number = Self.number(of: seed), keys[number] != nil else { return nil }
    if seed.count == Self.sealedSize, sealedSalt(seed) == nil { return nil }
    let sealing = ring.keys(for: "token.successor.sealed").current
    let start = Self.start(of: sealing.number)
    let box = try AES.GCM.seal(salt(of: seed), using: sealing.key, authenticating: start)
    return box.combined.map { start + $0 }
  }

  /// Seals the salts of grants again whose successors were settled with another key. A token that is used meanwhile gets a seed of the
  /// current key by its use.
  /// - Parameters:
  ///   - place: the id of the grant after which to begin, in 8 bytes; empty for all.
  ///   - most: how many to seal.
  /// - Returns: the id of the last one; nil if there was none.
  func reseal(after place: Data, most: Int, in db: StorageConnection) throws -> Data? {
    let number = ring.keys(for: "token.successor").current.number
    let after = Int64(bitPattern: place.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    let rows = try db.all(TokenStatements.sql.successorsAfter, after, Self.start(of: number), most) { reader in
      (id: reader.next(Int64.self), seed: reader.next(Data.self))
    }
    for (id, seed) in rows {
      if let new = try resealed(seed) { try db.run(TokenStatements.sql.resealSuccessor, new, id, seed) }
    }
    return rows.last.map { last in withUnsafeBytes(of: UInt64(bitPattern: last.id).bigEndian) { Data($0) } }
  }

  private func sealedSalt(_ column: Data) -> Data? {
    guard column.count == Self.sealedSize, let number = Self.number(of: column),
      let key = ring.keys(for: "token.successor.sealed")[number],
      let box = try? AES.GCM.SealedBox(combined: column.dropFirst(Self.numberSize))
    else { return nil }
    return try? AES.GCM.open(box, using: key, authenticating: Self.start(of: number))
  }

  private static func number(of seed: Data) -> Int64? {
    if seed.count == seedSize { return 1 }
    guard seed.count == numberSize + seedSize || seed.count == sealedSize else { return nil }
    return Int64(seed.prefix(numberSize).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }

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
