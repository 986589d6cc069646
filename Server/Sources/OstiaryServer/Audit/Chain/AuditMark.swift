internal import Crypto
import Foundation

/// A place in the chain that is stored apart from the rows: the beginning or the end.
enum AuditMark: String, Sendable {
  /// After the rows that were removed because of their age.
  case start
  /// At the row that was sealed last.
  case end

  /// The number and the hash of a place, and the seal that shows that the owner of the key has written them.
  struct Place: Sendable, Equatable {
    let number: Int64
    let hash: Data
    let seal: Data

    /// Before the first row.
    static let beginning = Place(number: 0, hash: Data([0]), seal: Data([0]))
    var isBeginning: Bool { self == .beginning }
  }

  /// The place, signed.
  func place(number: Int64, hash: Data, key: SymmetricKey) -> Place {
    Place(number: number, hash: hash, seal: seal(number: number, hash: hash, key: key))
  }

  func isGenuine(_ place: Place, key: SymmetricKey) -> Bool {
    place.isBeginning || ConstantTime.isEqual(place.seal, seal(number: place.number, hash: place.hash, key: key))
  }

  private func seal(number: Int64, hash: Data, key: SymmetricKey) -> Data {
    var code = HMAC<SHA256>(key: key)
    code.update(data: Data("ostiary.audit.\(rawValue).\(number).".utf8))
    code.update(data: hash)
    return Data(code.finalize())
  }

  func find(isForUse: Bool = false, in db: StorageConnection) throws -> Place? {
    try db.first(isForUse ? AuditStatements.sql.markForUse : AuditStatements.sql.mark, rawValue) {
      Place(number: $0.next(), hash: $0.next(), seal: $0.next())
    }
  }

  func set(_ place: Place, in db: StorageConnection) throws {
    try db.run(AuditStatements.sql.setMark, rawValue, place.number, place.hash, place.seal)
  }
}
