import OstiaryCore

/// Counts the look-ups of a cache.
final class CacheUse: Sendable {
  private let state = Locked((hits: 0, misses: 0))

  var counts: (hits: Int, misses: Int) { state.withLock { $0 } }

  /// Counts one, which found that value or nothing.
  func noted<Value>(_ value: Value?) -> Value? {
    state.withLock { state in
      if value == nil { state.misses += 1 } else { state.hits += 1 }
    }
    return value
  }
}
