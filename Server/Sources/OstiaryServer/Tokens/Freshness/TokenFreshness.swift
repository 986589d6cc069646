internal import OstiaryCore

/// Decides whether cached tokens and clients are still valid.
///
/// A cache entry has the stamp of the moment before it was read, and is valid as long as the stamp is the same. Within
/// the process the stamp changes with every notice that a token or a grant has ended. A change by another process shows
/// in the database: after any commit one number is read, and the stamp changes if the number has changed. Rotations and
/// uses, which are frequent, don't change the number, so they empty no cache.
///
/// Servers that share a PostgreSQL agree by leases: what ends is removed from their caches, and the stamp changes only when these are
/// emptied.
final class TokenFreshness: StorageCompanion {
  private let news: StorageNews
  private let state = Locked(State())

  private struct State {
    var version: Int?
    var epoch: Int64?
    var stamp: UInt64 = 0
  }

  /// The instance of a storage. It is notified of users whose sessions have ended.
  static func of(_ storage: ServerStorage) -> TokenFreshness {
    storage.shared {
      let freshness = TokenFreshness(storage.news)
      UserChanges.of(storage).observe { [weak freshness] _ in freshness?.invalidate() }
      return freshness
    }
  }

  private init(_ news: StorageNews) {
    self.news = news
  }

  /// The current stamp; nil if it is unknown, and then no entry is valid.
  var stamp: CacheStamp? {
    switch news {
    case .ownOnly: CacheStamp(state.withLock { $0.stamp })
    case .file(let watch): stamp(watch).map { CacheStamp($0) }
    case .leases(let keeper): keeper.stamp
    }
  }

  private func stamp(_ watch: CommitWatch) -> UInt64? {
    watch.read { db in
      guard let version = try CommitWatch.version(in: db) else { return nil }
      let known: UInt64? = state.withLock { $0.version == version ? $0.stamp : nil }
      if let known { return known }
      // Read after the version: a commit in between shows at the next look.
      let epoch = try db.value(FreshnessStatements.sql.epoch) as Int64?
      return state.withLock { state in
        if state.epoch != epoch { state.stamp &+= 1 }
        (state.version, state.epoch) = (version, epoch)
        return state.stamp
      }
    }
  }

  /// The stamp of the last look at the database, for an entry that a transaction is about to write.
  ///
  /// What the transaction has written or found was valid at its commit. A later end changes the stamp: by a notice in this process,
  /// or by the number that the next look at the database finds.
  var lastStamp: CacheStamp? {
    if case .leases(let keeper) = news { return keeper.nextStamp }
    return CacheStamp(state.withLock { $0.stamp })
  }

  /// Invalidates all entries. Call it after the commit that has ended or changed a token, a grant or a client. Where servers agree by
  /// leases the commit has returned when the entries are gone.
  func invalidate() {
    state.withLock { $0.stamp &+= 1 }
  }

  func forgetAll() { invalidate() }

  /// Notifies other processes, with the commit of this transaction.
  static func advance(in db: StorageConnection) throws {
    // Servers that share the database are told what has ended. The row would make all that ends something wait for each other.
    guard !db.announcesEnds else { return }
    try db.run(FreshnessStatements.sql.advanceEpoch)
  }
}
