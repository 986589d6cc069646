import Crypto
import Foundation
internal import OstiaryCore

/// The API keys that the door knows.
struct NewzuluKeys: Sendable {
  private let keys: [SHA256Digest: NewzuluKey]
  /// The keys that may be shown: those of apps.
  private let examples: [NewzuluKey]

  init(_ keys: [NewzuluKey]) {
    examples = keys.filter(\.permissions.isEmpty)
    self.keys = Dictionary(
      keys.compactMap { key in
        NewzuluKey.normalized(key.key.reveal()).map { (Self.digest($0), key) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The key of that text. It is found by its hash: the time does not show how many of its bytes were right.
  subscript(text: String) -> NewzuluKey? {
    NewzuluKey.normalized(text).flatMap { keys[Self.digest($0)] }
  }

  /// A key for an example with an app of this tenant.
  func example(for vhost: String) -> NewzuluKey? {
    examples.first { $0.vhost == nil || $0.vhost == vhost }
  }

  /// The configured keys or, if there is none, the one that the server of this storage has made.
  static func load(_ configured: [NewzuluKey], from storage: ServerStorage) async throws(ServerError) -> NewzuluKeys {
    if !configured.isEmpty { return NewzuluKeys(configured) }
    return NewzuluKeys([NewzuluKey(Secret(try await made(in: storage)))])
  }

  /// The key that the server of this storage has made, now if it had none.
  static func made(in storage: ServerStorage) async throws(ServerError) -> String {
    let stored: String? = try await storage.read { db in try db.value(NewzuluStatements.sql.key) }
    if let stored { return stored }
    let new = RandomBytes.make(16).hexadecimal
    return try await storage.write { db in
      if let key: String = try db.value(NewzuluStatements.sql.key) { return key }
      try db.run(NewzuluStatements.sql.addKey, new)
      return new
    }
  }

  private static func digest(_ text: String) -> SHA256Digest { SHA256.hash(data: Data(text.utf8)) }
}
