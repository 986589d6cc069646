internal import Crypto
import Foundation
internal import OstiaryCore

/// What a session is found by: the SHA-256 of its id. Ids are random enough to need no salt.
struct ServerSessionKey: Hashable, Sendable {
  let data: Data

  /// A new id and its key.
  static func make() -> (id: Secret, key: ServerSessionKey) {
    let id = RandomBytes.make(32).base64URL
    return (Secret(id), ServerSessionKey(unchecked: id))
  }

  /// The key of an id a client sent; nothing if it can't be one.
  init?(_ id: String) {
    guard id.utf8.count == 43 else { return nil }
    self.init(unchecked: id)
  }

  private init(unchecked id: String) {
    data = Data(SHA256.hash(data: Data(id.utf8)))
  }
}
