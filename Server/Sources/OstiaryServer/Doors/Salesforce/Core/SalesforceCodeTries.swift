import Foundation
import OstiaryCore

/// Counts the codes of devices that people enter, so that nobody finds one by trying (RFC 8628 §5.1).
final class SalesforceCodeTries: Sendable {
  /// Wrong codes that one user may enter in a period.
  private static let most = 10
  private static let period: TimeInterval = 600
  private static let capacity = 10_000
  private let counts = Locked<[String: Count]>([:])

  private struct Count {
    let start: Date
    var tries: Int
  }

  /// Counts a try.
  /// - Returns: How long to wait, where there have been too many.
  func reserve(_ userID: String, at now: Date) -> Duration? {
    counts.withLock { counts in
      if counts.count >= Self.capacity {
        counts = counts.filter { now.timeIntervalSince($0.value.start) < Self.period }
      }
      var count = counts[userID] ?? Count(start: now, tries: 0)
      let age = now.timeIntervalSince(count.start)
      if age >= Self.period { count = Count(start: now, tries: 0) }
      guard count.tries < Self.most else { return .seconds(Self.period - age) }
      count.tries += 1
      counts[userID] = count
      return nil
    }
  }

  /// The code was right, and doesn't count.
  func refund(_ userID: String) {
    counts.withLock { counts in counts[userID]?.tries -= 1 }
  }
}
