internal import Crypto
import Foundation

/// The keys of the trail, derived from the server's own: one for the chain of rows, one for names.
final class AuditKeys: StorageCompanion {
  let seals: SymmetricKey
  private let names: SymmetricKey

  private init(_ key: ServerKey) {
    seals = key.key(for: "audit.seals")
    names = key.key(for: "audit.names")
  }

  /// Those of a storage.
  static func of(_ storage: ServerStorage) -> AuditKeys { storage.shared { AuditKeys(storage.key) } }

  /// What a name is known by: the same for every spelling of it, and of no use to a reader without the key.
  func mark(_ name: NameKey) -> String {
    Data(HMAC<SHA256>.authenticationCode(for: name.data, using: names)).prefix(12).base64URL
  }

  func forgetAll() {}
}
