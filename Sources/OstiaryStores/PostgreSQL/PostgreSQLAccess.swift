#if PostgreSQL
  import Foundation
  import OstiaryCore

  /// Exclusive access that the current task has: the connection that holds the lock, and what was read along with it.
  ///
  /// What the holder does to its session goes through this connection. When that breaks, the lock is gone: only a change that
  /// says exactly what it replaces is made then, by another connection.
  final class PostgreSQLAccess: Sendable {
    /// What the current task, and those it has started, got access to last.
    @TaskLocal static var current: PostgreSQLAccess?

    let key: SessionKey
    let lane: PostgreSQLLane
    /// What it had access to before.
    private let outer = PostgreSQLAccess.current
    let connection: PostgreSQLConnection

    private enum Knowledge { case unread, justRead, old }
    /// What was stored when the lock was taken.
    private let data: Data?
    private let isWritable: Bool
    /// Taken before that.
    private let stamp: StoreStamp?
    private let knowledge = Locked(Knowledge.unread)

    init(
      _ key: SessionKey, _ lane: PostgreSQLLane, _ connection: PostgreSQLConnection, _ data: Data?, isWritable: Bool,
      stamp: StoreStamp? = nil
    ) {
      self.key = key
      self.lane = lane
      self.connection = connection
      self.data = data
      self.isWritable = isWritable
      self.stamp = stamp
    }

    /// The current task's access to `key` by way of `lane`.
    static func current(to key: SessionKey, _ lane: PostgreSQLLane) -> PostgreSQLAccess? {
      var access = current
      while let found = access, found.key != key || found.lane !== lane { access = found.outer }
      return access
    }

    /// What was read with the lock, the first time it is asked for: it saves asking the server twice.
    /// - Parameter stamp: of this moment. The caller may have taken it, too, so it must not be a newer one.
    func takeReading(at stamp: StoreStamp?) -> StoreReading? {
      let isUnread = knowledge.withLock { knowledge in
        let isUnread = knowledge == .unread && stamp == self.stamp
        knowledge = isUnread ? .justRead : .old
        return isUnread
      }
      return isUnread ? data.map(StoreReading.present) ?? .absent : nil
    }

    /// What was read with the lock is out of date.
    func forgetReading() {
      knowledge.withLock { $0 = .old }
    }

    /// Whether a change would leave what has just been read as it is. A session manager writes so to learn, before it
    /// renews, whether the store can be written; the lock's statement has told that already.
    /// - Returns: the stamp for that, in an optional; `nil` when it would be a change.
    func stampIfNothingChanges(_ data: Data, replacing expected: StoreExpectation) -> StoreStamp?? {
      let isFresh = knowledge.withLock { knowledge in
        defer { knowledge = .old }
        return knowledge == .justRead
      }
      return isFresh && isWritable && data == self.data && expected == .exactly(data) ? .some(stamp) : nil
    }
  }
#endif
