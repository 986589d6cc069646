import OstiaryCore

/// Counts the requests under way for each client: one client must not take every place.
final class RequestsUnderWay: Sendable {
  private let most: Int
  private let counts = Locked<[[UInt8]: Int]>([:])
  private let refusals = Locked(0)

  init(most: Int) { self.most = most }

  /// How many requests were refused.
  var refused: Int { refusals.withLock { $0 } }

  /// How many clients have a request under way.
  var clients: Int { counts.withLock { $0.count } }

  /// Takes a place for a request of the client; false if the client has the maximum.
  func begin(_ client: ClientAddress?) -> Bool {
    guard let bucket = client?.limitBucket else { return true }
    let isTaken = counts.withLock { counts in
      guard counts[bucket, default: 0] < most else { return false }
      counts[bucket, default: 0] += 1
      return true
    }
    if !isTaken { refusals.withLock { $0 += 1 } }
    return isTaken
  }

  /// Releases the place.
  func end(_ client: ClientAddress?) {
    guard let bucket = client?.limitBucket else { return }
    counts.withLock { counts in
      guard let count = counts[bucket] else { return }
      counts[bucket] = count > 1 ? count - 1 : nil
    }
  }
}
