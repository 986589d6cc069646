internal import HTTPTypes
internal import OstiaryCore

/// What the server was asked, for tests and demonstrations. Kept in development mode only.
///
/// It never holds a query, a header or a body.
package final class RequestJournal: Sendable {
  /// One answered request.
  package struct Entry: Sendable, Hashable {
    /// The method.
    package let method: String
    /// The path, percent-encoded, without the query.
    package let path: String
    /// The status of the answer.
    package let status: Int
  }

  /// How many entries are kept; the oldest make room.
  static let limit = 10_000

  private struct State {
    var entries: [Entry] = []
    var total = 0
  }

  private let state = Locked(State())

  /// What the start page shows of it.
  let recent: RecentEvents

  init(_ recent: RecentEvents) { self.recent = recent }

  /// The last requests, oldest first, 10,000 at most.
  package var entries: [Entry] { state.withLock { $0.entries } }

  /// How many requests have been answered since the start.
  package var total: Int { state.withLock { $0.total } }

  /// How many of the kept requests went to a path.
  package func count(ofPath path: String) -> Int {
    state.withLock { state in state.entries.count { $0.path == path } }
  }

  /// Records what was answered.
  /// - Parameter shown: The path without segments that prove something.
  func record(_ request: DoorRequest, path shown: String, status: Int) {
    record(Entry(method: request.method.rawValue, path: shown, status: status))
    // The start page would show nothing but its own reloads.
    if !shown.hasSameBytes(as: "/") { recent.record(request, path: shown, status: status) }
  }

  private func record(_ entry: Entry) {
    state.withLock { state in
      if state.entries.count >= Self.limit { state.entries.removeFirst(Self.limit / 10) }
      state.entries.append(entry)
      state.total &+= 1
    }
  }
}
