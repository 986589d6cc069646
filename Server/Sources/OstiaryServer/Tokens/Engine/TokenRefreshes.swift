internal import OstiaryCore

/// Counts the refreshes that all services over one storage have answered, by the door that was asked.
final class TokenRefreshes: StorageCompanion {
  private let state = Locked<[MetricValue: Int]>([:])

  private init() {}

  /// The instance of a storage.
  static func of(_ storage: ServerStorage) -> TokenRefreshes { storage.shared { TokenRefreshes() } }

  /// By door.
  var counts: [MetricValue: Int] { state.withLock { $0 } }

  /// Counts one of the task's own request.
  func count() {
    state.withLock { $0[AuditOrigin.current.door, default: 0] += 1 }
  }

  func forgetAll() {}
}
