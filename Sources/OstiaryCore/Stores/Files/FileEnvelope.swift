import Crypto
package import Foundation

/// What surrounds a session in its file, so that a file that is cut, flipped, swapped or foreign is known as such.
///
///     magic "OSTIARY\n"   8 bytes
///     version             4 bytes, big-endian: 1
///     length              8 bytes, big-endian, of the payload
///     name length         4 bytes, big-endian, of the key's name
///     digest             32 bytes, SHA-256 of what is before, the SHA-256 of the key's name, and the payload
///     name                in UTF-8
///     payload
///
/// The digest finds damage, not forgery: whoever can write the file can also compute it.
package enum FileEnvelope {
  package static let headerLength = 56
  private static let magic = Data("OSTIARY\n".utf8)
  package static let version: UInt32 = 1

  /// What a file turned out to hold.
  package enum Content: Equatable {
    case whole(Data)
    /// Written by a later version of Ostiary, and undamaged.
    case newer
    /// In words for a person.
    case damaged(String)
  }

  /// The bytes to write before the payload.
  package static func header(for payload: Data, key: SessionKey, version: UInt32 = Self.version) -> Data {
    let name = Data(key.canonicalName.utf8)
    let preamble = magic + bytes(version) + bytes(UInt64(payload.count)) + bytes(UInt32(clamping: name.count))
    return preamble + digest(preamble, key, payload) + name
  }

  /// The key whose session `file` holds, as far as the file says; not checked.
  static func key(in file: Data) -> SessionKey? {
    let name = file.dropFirst(headerLength).prefix(Int(clamping: number(file.dropFirst(20).prefix(4))))
    return String(validating: name, as: UTF8.self).map(SessionKey.init)
  }

  /// Takes a file apart.
  package static func open(_ file: Data, key: SessionKey) -> Content {
    guard file.count >= headerLength else { return .damaged("it has been cut short") }
    let preamble = Data(file.prefix(24))
    guard preamble.prefix(8) == magic else { return .damaged("it is not a session file") }
    let nameLength = Int(clamping: number(preamble.suffix(4)))
    let payload = Data(file.dropFirst(headerLength).dropFirst(nameLength))
    let length = number(preamble.dropFirst(12).prefix(8))
    guard length == UInt64(payload.count) else {
      return .damaged(length > UInt64(payload.count) ? "it has been cut short" : "something has been appended to it")
    }
    guard Data(file.dropFirst(24).prefix(32)) == digest(preamble, key, payload),
      Data(file.dropFirst(headerLength).prefix(nameLength)) == Data(key.canonicalName.utf8)
    else {
      return .damaged("its contents have changed")
    }
    switch number(preamble.dropFirst(8).prefix(4)) {
    case UInt64(version): return .whole(payload)
    case (UInt64(version) + 1)...: return .newer
    default: return .damaged("its version is unknown")
    }
  }

  private static func digest(_ preamble: Data, _ key: SessionKey, _ payload: Data) -> Data {
    var hash = SHA256()
    hash.update(data: preamble)
    hash.update(data: Data(SHA256.hash(data: Data(key.canonicalName.utf8))))
    hash.update(data: payload)
    return Data(hash.finalize())
  }

  private static func bytes(_ number: some FixedWidthInteger) -> Data {
    withUnsafeBytes(of: number.bigEndian) { Data($0) }
  }

  private static func number(_ bytes: Data) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
