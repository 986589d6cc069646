public import Foundation
internal import OstiaryCore

/// Remembers names of tokens that may be used once.
///
/// It must say yes to a name once until the time is over, to whichever process asks first. It must throw where it can't tell, and must
/// never forget a name before its time.
public protocol UsedIDs: Sendable {
  /// Uses a name.
  /// - Parameter end: when the name may be forgotten.
  /// - Returns: whether it had not been used.
  func use(_ id: String, until end: Date, at now: Date) async throws -> Bool

  /// Takes a use back that has come to nothing: the token may come again. Without it, that one is lost.
  func giveBack(_ id: String) async
}

extension UsedIDs {
  /// Takes nothing back.
  public func giveBack(_ id: String) async {}
}

/// Remembers them in this process. A server of several processes needs a place that they share.
public final class UsedIDsInMemory: UsedIDs {
  private let ids: Locked<UsedIDList>

  /// Makes an empty memory.
  /// - Parameter capacity: how many names are remembered at once. Where there are more, no other is used: none is forgotten early.
  public init(capacity: Int = 100_000) {
    ids = Locked(UsedIDList(capacity: capacity))
  }

  public func use(_ id: String, until end: Date, at now: Date) throws -> Bool {
    let outcome = ids.withLock { $0.use(id, until: end, at: now) }
    guard outcome != .full else {
      throw OstiaryError(
        .serverUnavailable, "More tokens came at once than can be remembered.",
        disposition: .transient(retryAfter: nil), requestMayHaveExecuted: false)
    }
    return outcome == .new
  }

  public func giveBack(_ id: String) async {
    ids.withLock { $0.giveBack(id) }
  }
}

/// The names in use, as a value: a name comes in, and whether it is new comes out.
struct UsedIDList: Sendable, Hashable {
  enum Outcome: Sendable, Hashable { case new, used, full }

  let capacity: Int
  private var ends: [String: Date] = [:]
  /// Nothing ends before this, so there is nothing to look for.
  private var firstEnd = Date.distantFuture

  init(capacity: Int) { self.capacity = max(1, capacity) }

  mutating func use(_ id: String, until end: Date, at now: Date) -> Outcome {
    if firstEnd <= now {
      ends = ends.filter { $0.value > now }
      firstEnd = ends.values.min() ?? .distantFuture
    }
    if ends[id] != nil { return .used }
    guard ends.count < capacity else { return .full }
    ends[id] = end
    firstEnd = min(firstEnd, end)
    return .new
  }

  mutating func giveBack(_ id: String) { ends[id] = nil }
}
