import Foundation
internal import OstiaryCore

/// The most recently used sessions: most requests need no database.
///
/// Within the process no entry is stale: the function that ends or changes a session removes the entry once the change
/// is durable, and a reader inserts only a session that was read while no entry was removed. Another process's change
/// gives the storage another stamp, and an entry of an older one is read again. Servers that share a PostgreSQL are told what
/// to remove.
final class SessionCache: StorageCompanion {
  private let capacity: Int
  private let state = Locked(State())
  let uses = CacheUse()

  private struct State {
    var entries: [ServerSessionKey: SessionRecord] = [:]
    /// Counts removals; see ``insert(_:for:readAt:)``.
    var epoch: UInt64 = 0
  }

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The instance of a storage.
  static func of(_ storage: ServerStorage) -> SessionCache {
    storage.shared {
      let cache = SessionCache(capacity: 10_000)
      UserChanges.of(storage).observe { [weak cache] id in cache?.remove(userID: id) }
      return cache
    }
  }

  /// The number that a reader takes before it reads the database.
  var epoch: UInt64 { state.withLock { $0.epoch } }

  /// Uses the entry for `key`, if there is one: `use` may change it. An entry for which `use` returns nil is not used.
  func use<Value: Sendable>(_ key: ServerSessionKey, _ use: (inout SessionRecord) -> Value?) -> Value? {
    state.withLock { state in
      guard let index = state.entries.index(forKey: key) else { return nil }
      return use(&state.entries.values[index])
    }
  }

  /// The entry for `key`; from now on the caller counts its calls.
  func takeCount(_ key: ServerSessionKey) -> SessionRecord? {
    use(key) { record in
      defer { record.uncounted = 0 }
      return record
    }
  }

  /// Stores a session that was read from the database since `epoch`, unless an entry has been removed in the meantime:
  /// it could have been this one. A use that is newer than the one read is kept.
  func insert(_ record: SessionRecord, for key: ServerSessionKey, readAt epoch: UInt64, stamp: CacheStamp?) {
    state.withLock { state in
      guard state.epoch == epoch else { return }
      var record = record
      record.validity = stamp.flatMap { $0.mayBeKept ? $0.validity : nil }
      if let known = state.entries[key] {
        record.seenAt = max(record.seenAt, known.seenAt)
        // The calls that came while the database was read.
        record.uncounted += known.uncounted
      } else if state.entries.count >= capacity {
        // About an eighth of them: a dictionary's order is random enough.
        state.entries = Dictionary(uniqueKeysWithValues: state.entries.dropFirst(capacity / 8 + 1).map { ($0, $1) })
      }
      state.entries[key] = record
    }
  }

  func remove(_ key: ServerSessionKey) {
    state.withLock { state in
      state.epoch &+= 1
      state.entries[key] = nil
    }
  }

  func remove(userID: String) {
    state.withLock { state in
      state.epoch &+= 1
      state.entries = state.entries.filter { $0.value.session.user?.id != userID }
    }
  }

  /// How many sessions are kept.
  var count: Int { state.withLock { $0.entries.count } }

  func forgetAll() { removeAll() }

  func forget(_ things: EndedThings) {
    guard things.isEverything || things.endsGuests || !things.sessions.isEmpty || !things.users.isEmpty else { return }
    state.withLock { state in
      state.epoch &+= 1
      // The entries stay: a later use than the database knows of is counted by them.
      for key in things.sessions { state.entries[ServerSessionKey(key)]?.validity = nil }
      guard things.isEverything || things.endsGuests || !things.users.isEmpty else { return }
      for index in state.entries.indices {
        let user = state.entries.values[index].session.user
        if things.isEverything || (user.map { things.users.contains($0.id) } ?? things.endsGuests) {
          state.entries.values[index].validity = nil
        }
      }
    }
  }

  func removeAll() {
    state.withLock { state in
      state.epoch &+= 1
      state.entries = [:]
    }
  }
}
