import Foundation
import OstiaryCore

/// Counts the calls of each org's programs, in memory: 24 hours from the first.
final class SalesforceQuota: Sendable {
  /// The most calls.
  let most: Int
  private let counts = Locked<[SalesforceRecordID: Count]>([:])
  private static let period: TimeInterval = 24 * 3600

  private struct Count {
    var start: Date
    var used = 0
  }

  init(most: Int) {
    self.most = most
  }

  /// Counts one call.
  /// - Returns: The number of calls with this one; nil if it is one too many.
  func take(_ org: SalesforceRecordID, at now: Date) -> Int? {
    counts.withLock { counts in
      var count = counts[org] ?? Count(start: now)
      if now.timeIntervalSince(count.start) >= Self.period { count = Count(start: now) }
      guard count.used < most else { return nil }
      count.used += 1
      counts[org] = count
      return count.used
    }
  }

  /// The number of calls so far.
  func used(_ org: SalesforceRecordID) -> Int { counts.withLock { $0[org]?.used ?? 0 } }
}
