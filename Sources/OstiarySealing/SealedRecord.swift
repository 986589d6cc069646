internal import Crypto
package import Foundation
package import OstiaryCore

/// The format of a sealed session: what it takes to open it, and a box that can't be opened or changed without the key.
///
///     magic "OSTSEAL\n"   8 bytes
///     version             1 byte: 1
///     algorithm           1 byte: 1, ChaCha20-Poly1305 (RFC 8439); 2, the same, and what is sealed is an ended entry
///     key                 8 bytes, the identifier of the key
///     length              8 bytes, big-endian, of what is sealed
///     nonce              12 bytes, random
///     box                 as long as what is sealed
///     tag                16 bytes
///
/// Everything before the nonce, and the name of the session's key, is bound as associated data: a record that is put in
/// another's place, or whose header is changed, does not open.
package enum SealedRecord {
  private static let magic = Data("OSTSEAL\n".utf8)
  private static let version: UInt8 = 1
  private static let chaChaPoly: UInt8 = 1
  private static let chaChaPolyEnded: UInt8 = 2
  private static let headerLength = 26
  private static let (nonceLength, tagLength) = (12, 16)
  /// How much longer a record is than what it seals.
  package static let overhead = headerLength + nonceLength + tagLength

  /// Seals `data` for `account`.
  package static func seal(
    _ data: Data, for account: SessionKey, with key: SealingKey, isEnded: Bool = false
  ) throws(SealingError) -> Data {
    try seal(data, for: account, with: key, isEnded: isEnded, nonce: ChaChaPoly.Nonce())
  }

  /// Whether a record says that it holds an ended entry. That is in clear: an entry whose key is gone is worth nothing, and
  /// must keep nothing from being saved in its place.
  static func saysEnded(_ record: Data) -> Bool {
    let record = Data(record)
    return record.count >= headerLength && record.prefix(8) == magic && record[9] == chaChaPolyEnded
  }

  /// Seals with a nonce that the caller must never have used before with the same key.
  static func seal(
    _ data: Data, for account: SessionKey, with key: SealingKey, isEnded: Bool = false, nonce: ChaChaPoly.Nonce
  ) throws(SealingError) -> Data {
    let length = withUnsafeBytes(of: UInt64(data.count).bigEndian) { Data($0) }
    let header = magic + [version, isEnded ? chaChaPolyEnded : chaChaPoly] + key.id.bytes + length
    do {
      return header
        + (try ChaChaPoly.seal(data, using: key.material, nonce: nonce, authenticating: bound(header, account)).combined)
    } catch {
      throw .cannotSeal
    }
  }

  /// Opens what was sealed for `account` with one of `keys`.
  package static func open(
    _ record: Data, for account: SessionKey, with keys: SealingKeys?
  ) throws(SealingError) -> Data {
    let record = Data(record)
    guard record.prefix(8) == magic.prefix(record.count) else { throw .notSealed }
    guard record.count >= headerLength else { throw .truncated }
    guard record[8] == version, (chaChaPoly...chaChaPolyEnded).contains(record[9]) else {
      throw record[8] > version || record[9] > chaChaPolyEnded ? .unknownFormat : .tampered
    }
    let header = record.prefix(headerLength)
    let length = header.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let rest = record.count - headerLength
    guard rest >= nonceLength + tagLength, length <= UInt64(rest - nonceLength - tagLength) else { throw .truncated }
    guard length == UInt64(rest - nonceLength - tagLength) else { throw .tampered }
    let id = SealingKey.ID(Data(header[10..<18]))
    guard let key = keys?[id] else { throw .wrongKey(id) }
    guard let box = try? ChaChaPoly.SealedBox(combined: record.dropFirst(headerLength)),
      let data = try? ChaChaPoly.open(box, using: key.material, authenticating: bound(header, account))
    else { throw .tampered }
    return data
  }

  /// The identifier of the key that a record says it was sealed with, if it is one.
  package static func keyID(of record: Data) -> SealingKey.ID? {
    let record = Data(record)
    guard record.count >= headerLength, record.prefix(8) == magic else { return nil }
    return SealingKey.ID(Data(record[10..<18]))
  }

  private static func bound(_ header: Data, _ account: SessionKey) -> Data {
    header + Data(account.canonicalName.utf8)
  }
}
