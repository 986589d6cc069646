internal import HTTPTypes
internal import OstiaryCore

/// The server's requests, for tests and demonstrations. Recorded in development mode only.
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

  /// The most entries that are kept; the oldest are removed first.
  static let limit = 10_000

  private struct State {
    var entries: [Entry] = []
    var total = 0
  }

  private let state = Locked(State())

  /// The events that the start page shows.
  let recent: RecentEvents

  init(_ recent: RecentEvents) { self.recent = recent }

  /// The last requests, oldest first, 10,000 at most.
  package var entries: [Entry] { state.withLock { $0.entries } }

  /// The number of requests answered since the start.
  package var total: Int { state.withLock { $0.total } }

  /// The number of kept requests to a path.
  package func count(ofPath path: String) -> Int {
    state.withLock { state in state.entries.count { $0.path == path } }
  }

  /// Records an answered request.
  /// - Parameter shown: The path without segments that are a proof.
  func record(_ request: DoorRequest, path shown: String, status: Int) {
    record(Entry(method: request.method.rawValue, path: shown, status: status))
    // The start page would otherwise show only its own reloads.
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
