internal import OstiaryCore

/// Tells whether what is remembered of tokens and clients may still be believed.
///
/// What is remembered carries the stamp of the moment before it was read, and is good as long as the stamp is the same.
/// Within the process the stamp changes with every word that something has ended. Another process's word shows in the
/// database: when anybody has committed anything, one number is read, and the stamp changes if that has. So neither a
/// rotation nor a use, of which there are many, makes anybody forget anything.
final class TokenFreshness: StorageCompanion {
  private let watch: CommitWatch?
  private let state = Locked(State())

  private struct State {
    var version: Int?
    var epoch: Int64?
    var stamp: UInt64 = 0
  }

  /// The one of a storage; told of users whose sessions have ended.
  static func of(_ storage: ServerStorage) -> TokenFreshness {
    storage.shared {
      let freshness = TokenFreshness(watch: storage.watch)
      UserChanges.of(storage).observe { [weak freshness] _ in freshness?.invalidate() }
      return freshness
    }
  }

  /// - Parameter watch: of the database's file; nil in memory, where no other process can write.
  private init(watch: CommitWatch?) {
    self.watch = watch
  }

  /// The stamp of this moment; nil if it can't be told now, and then nothing is to be believed.
  var stamp: UInt64? {
    guard let watch else { return state.withLock { $0.stamp } }
    return watch.read { db in
      guard let version = try CommitWatch.version(in: db) else { return nil }
      let known: UInt64? = state.withLock { $0.version == version ? $0.stamp : nil }
      if let known { return known }
      // After the version: whatever is committed in between shows at the next look.
      let epoch = try db.value(FreshnessStatements.sql.epoch) as Int64?
      return state.withLock { state in
        if state.epoch != epoch { state.stamp &+= 1 }
        (state.version, state.epoch) = (version, epoch)
        return state.stamp
      }
    }
  }

  /// Makes everybody forget. For after the commit that has ended or changed something.
  func invalidate() {
    state.withLock { $0.stamp &+= 1 }
  }

  func forgetAll() { invalidate() }

  /// Tells other processes, with the commit of this transaction.
  static func advance(in db: StorageConnection) throws {
    try db.run(FreshnessStatements.sql.advanceEpoch)
  }
}
