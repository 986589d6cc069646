import Foundation
import OstiaryCore

/// Remembers one-time numbers until they would have expired anyway. Bounded: above the bound the numbers that expire soonest are
/// removed.
final class OneTimeNumbers: Sendable {
  private let capacity: Int
  private let used = Locked<[String: Date]>([:])

  init(capacity: Int = 50_000) {
    self.capacity = capacity
  }

  /// Marks a number as used.
  /// - Returns: Whether this was the first time.
  func take(_ number: String, until end: Date, now: Date) -> Bool {
    used.withLock { used in
      guard used[number] == nil else { return false }
      if used.count >= capacity {
        used = used.filter { $0.value > now }
        if used.count >= capacity * 3 / 4 {
          let middle = used.values.sorted()[used.count / 2]
          used = used.filter { $0.value > middle }
        }
      }
      used[number] = end
      return true
    }
  }

  var count: Int { used.withLock { $0.count } }
}
