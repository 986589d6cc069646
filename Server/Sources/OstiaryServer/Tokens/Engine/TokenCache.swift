import Foundation
internal import OstiaryCore

/// The most recently used access tokens: most calls need no database. `TokenFreshness` decides whether an entry is
/// still valid; its last use always is.
final class TokenCache: StorageCompanion {
  private let capacity: Int
  private let entries = Locked<[TokenHash: Entry]>([:])
  let uses = CacheUse()

  private struct Entry {
    var record: AccessTokenRecord
    /// Nil for an entry of which the last use alone is valid.
    var validity: UInt64?
  }

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The instance of a storage.
  static func of(_ storage: ServerStorage) -> TokenCache { storage.shared { TokenCache(capacity: 50_000) } }

  /// Uses the entry for `hash` if it has that stamp: `use` may change it. An entry for which `use` returns nil is not used.
  func use<Value: Sendable>(
    _ hash: TokenHash, stamp: CacheStamp, _ use: (inout AccessTokenRecord) -> Value?
  ) -> Value? {
    let value: Value? = entries.withLock { entries in
      guard let index = entries.index(forKey: hash), entries.values[index].validity == stamp.validity else {
        return nil
      }
      return use(&entries.values[index].record)
    }
    return uses.noted(value)
  }

  /// The last known use, from an entry of any stamp.
  func lastUse(_ hash: TokenHash) -> Date? {
    entries.withLock { $0[hash]?.record.seenAt }
  }

  /// The uses that the database does not count yet. The caller writes them from now on.
  func takeCount(_ hash: TokenHash) -> Int {
    entries.withLock { entries in
      defer { entries[hash]?.record.uncounted = 0 }
      return entries[hash]?.record.uncounted ?? 0
    }
  }

  /// Stores a token that was read or written after `stamp` was taken. A use that is newer than the one read is kept.
  func insert(_ record: AccessTokenRecord, for hash: TokenHash, stamp: CacheStamp?) {
    entries.withLock { entries in
      var record = record
      if let known = entries[hash]?.record {
        record.seenAt = max(record.seenAt, known.seenAt)
        record.uncounted += known.uncounted
      } else if entries.count >= capacity {
        // About an eighth of them: a dictionary's order is random enough.
        entries = Dictionary(uniqueKeysWithValues: entries.dropFirst(capacity / 8 + 1).map { ($0, $1) })
      }
      let validity = stamp.flatMap { $0.mayBeKept ? $0.validity : nil }
      entries[hash] = Entry(record: record, validity: validity)
    }
  }

  func remove(_ hash: TokenHash) {
    entries.withLock { $0[hash] = nil }
  }

  func forgetAll() {
    entries.withLock { $0 = [:] }
  }

  func forget(_ things: EndedThings) {
    guard things.isEverything || !things.users.isEmpty || !things.families.isEmpty || !things.clients.isEmpty else {
      return
    }
    entries.withLock { entries in
      for index in entries.indices {
        let grant = entries.values[index].record.grant
        if things.isEverything || things.families.contains(grant.id) || things.clients.contains(grant.clientID)
          || grant.user.map({ things.users.contains($0.id) }) ?? false
        {
          // Its last use stays valid.
          entries.values[index].validity = nil
        }
      }
    }
  }

  /// How many tokens are kept.
  var count: Int { entries.withLock { $0.count } }
}
