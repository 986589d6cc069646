internal import Crypto
import Foundation
internal import OstiaryCore

/// The key that finds a session: the SHA-256 of its purpose and its id. An id therefore proves nothing at another door. Ids are
/// random enough to need no salt.
struct ServerSessionKey: Hashable, Sendable {
  let data: Data

  /// The session's name in the audit trail.
  var mark: String { AuditEvent.mark(ofSession: data) }

  /// A new id and its key.
  static func make(for purpose: StaticString = "server") -> (id: Secret, key: ServerSessionKey) {
    let id = RandomBytes.make(32).base64URL
    return (Secret(id), ServerSessionKey(hashing: "ostiary.session.\(purpose).\(id)"))
  }

  /// The key of an id that a client sent; nil if it can't be an id.
  init?(_ id: String, for purpose: StaticString = "server") {
    guard id.utf8.count == 43 else { return nil }
    self.init(hashing: "ostiary.session.\(purpose).\(id)")
  }

  /// The key of a session from an earlier version, which has no purpose.
  init?(withoutPurpose id: String) {
    guard id.utf8.count == 43 else { return nil }
    self.init(hashing: id)
  }

  /// A key that was stored.
  init(_ data: Data) { self.data = data }

  private init(hashing text: String) {
    data = Data(SHA256.hash(data: Data(text.utf8)))
  }
}
