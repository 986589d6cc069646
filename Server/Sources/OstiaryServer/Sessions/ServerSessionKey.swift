internal import Crypto
import Foundation
internal import OstiaryCore

/// What a session is found by: the SHA-256 of what it is for and its id, so that an id proves nothing at another door. Ids are random
/// enough to need no salt.
struct ServerSessionKey: Hashable, Sendable {
  let data: Data

  /// What the audit trail calls the session.
  var mark: String { AuditEvent.mark(ofSession: data) }

  /// A new id and its key.
  static func make(for purpose: StaticString = "server") -> (id: Secret, key: ServerSessionKey) {
    let id = RandomBytes.make(32).base64URL
    return (Secret(id), ServerSessionKey(hashing: "ostiary.session.\(purpose).\(id)"))
  }

  /// The key of an id a client sent; nothing if it can't be one.
  init?(_ id: String, for purpose: StaticString = "server") {
    guard id.utf8.count == 43 else { return nil }
    self.init(hashing: "ostiary.session.\(purpose).\(id)")
  }

  /// The key that the sessions of earlier versions have, of every purpose.
  init?(withoutPurpose id: String) {
    guard id.utf8.count == 43 else { return nil }
    self.init(hashing: id)
  }

  private init(hashing text: String) {
    data = Data(SHA256.hash(data: Data(text.utf8)))
  }
}
