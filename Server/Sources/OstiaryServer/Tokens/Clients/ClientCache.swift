internal import OstiaryCore

/// The most recently used clients. `TokenFreshness` decides whether an entry is still valid.
final class ClientCache: StorageCompanion {
  private let capacity: Int
  private let entries = Locked<[String: Entry]>([:])
  let uses = CacheUse()

  private struct Entry {
    let row: ClientRow
    let validity: UInt64
  }

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The instance of a storage.
  static func of(_ storage: ServerStorage) -> ClientCache { storage.shared { ClientCache(capacity: 10_000) } }

  func find(_ id: String, stamp: CacheStamp) -> ClientRow? {
    let row = entries.withLock { entries in
      entries[id].flatMap { $0.validity == stamp.validity ? $0.row : nil }
    }
    return uses.noted(row)
  }

  /// Stores a client that was read after `stamp` was taken.
  func insert(_ row: ClientRow, stamp: CacheStamp) {
    entries.withLock { entries in
      guard stamp.mayBeKept else { return }
      if entries.count >= capacity { entries = [:] }
      entries[row.client.id] = Entry(row: row, validity: stamp.validity)
    }
  }

  func forgetAll() {
    entries.withLock { $0 = [:] }
  }

  func forget(_ things: EndedThings) {
    if things.isEverything { return forgetAll() }
    entries.withLock { entries in
      for id in things.clients { entries[id] = nil }
    }
  }
}
