internal import OstiaryCore

/// Tells those who remember something of users, in this process, that all sessions of one have ended.
final class UserChanges: StorageCompanion {
  private let observers = Locked<[@Sendable (String) -> Void]>([])

  private init() {}

  /// The one of a storage.
  static func of(_ storage: ServerStorage) -> UserChanges { storage.shared { UserChanges() } }

  /// Calls `observer` with the id of each such user.
  func observe(_ observer: @escaping @Sendable (String) -> Void) {
    observers.withLock { $0.append(observer) }
  }

  /// For after the commit that has ended the sessions.
  func sessionsEnded(ofUser id: String) {
    for observer in observers.withLock({ $0 }) { observer(id) }
  }

  func forgetAll() {}
}
