internal import Crypto
import Foundation

/// The stretches of the chain: each was sealed with one key of the server.
///
/// Where a stretch begins a mark is stored that the new key has sealed, with the hash at the end of the stretch before. From then on
/// the old key is of no use to change rows of before: they would have to end with the same hash. The mark of the first key is missing.
struct AuditStretches: Sendable {
  private static let prefix = "key "

  /// The beginnings by the number of the key, in order.
  let beginnings: [(key: Int64, place: AuditMark.Place)]

  init(in db: StorageConnection) throws {
    let rows = try db.all(AuditStatements.sql.stretches) { reader -> (String, AuditMark.Place) in
      (reader.next(), AuditMark.Place(number: reader.next(), hash: reader.next(), seal: reader.next()))
    }
    beginnings = rows.compactMap { name, place in
      Int64(name.dropFirst(Self.prefix.count)).map { (key: $0, place: place) }
    }.sorted { $0.key < $1.key }
  }

  /// The number of the key with which rows are sealed now.
  var newest: Int64 { beginnings.last?.key ?? 1 }

  /// The key with which the marks of the chain's beginning and end are sealed; nil if it does not count any more.
  func newestKey(of keys: PurposeKeys) -> SymmetricKey? { keys[newest] }

  /// The key of a row; nil if it does not count any more.
  func key(of row: Int64, _ keys: PurposeKeys) -> SymmetricKey? {
    keys[beginnings.last { $0.place.number < row }?.key ?? 1]
  }

  /// Begins a stretch at the chain's end if the server has another key since, in the transaction that holds the end.
  /// - Returns: the key with which rows are sealed from now on.
  static func begin(at end: AuditMark.Place, _ keys: PurposeKeys, in db: StorageConnection) throws -> SymmetricKey {
    let stretches = try AuditStretches(in: db)
    let (number, key) = (keys.current.number, keys.current.key)
    let old = keys[stretches.newest]
    guard number > stretches.newest else {
      // A server that has not heard of the newest key: another one seals.
      guard let old else { throw ServerError.serverKeyChanges }
      return old
    }
    let name = prefix + String(number)
    let seal = seal(name, number: end.number, hash: end.hash, key: key)
    try db.run(AuditStatements.sql.setMark, name, end.number, end.hash, seal)
    // What is not genuine stays so: the check of the chain will tell.
    guard let old else { return key }
    for mark in [AuditMark.start, .end] {
      guard let place = try mark.find(in: db), !place.isBeginning, mark.isGenuine(place, key: old) else { continue }
      try mark.set(mark.place(number: place.number, hash: place.hash, key: key), in: db)
    }
    return key
  }

  /// Whether a beginning was written by this server.
  static func isGenuine(_ beginning: (key: Int64, place: AuditMark.Place), _ keys: PurposeKeys) -> Bool {
    guard let key = keys[beginning.key] else { return false }
    let place = beginning.place
    let seal = seal(prefix + String(beginning.key), number: place.number, hash: place.hash, key: key)
    return ConstantTime.isEqual(place.seal, seal)
  }

  private static func seal(_ name: String, number: Int64, hash: Data, key: SymmetricKey) -> Data {
    var code = HMAC<SHA256>(key: key)
    code.update(data: Data("ostiary.audit.\(name).\(number).".utf8))
    code.update(data: hash)
    return Data(code.finalize())
  }
}
