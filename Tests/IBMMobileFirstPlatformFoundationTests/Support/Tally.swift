import OstiaryCore
import OstiaryTesting
import Testing

/// Counts something, and lets a test wait until it has happened often enough.
final class Tally: Sendable {
  private let state = Locked(0)

  var count: Int { state.withLock { $0 } }

  func add() { state.withLock { $0 += 1 } }

  /// Waits until there are so many.
  func wait(
    for count: Int = 1, fileID: String = #fileID, line: Int = #line, isolation: isolated (any Actor)? = #isolation
  ) async {
    do {
      try await waitUntil("\(count) calls", fileID: fileID, line: line) { self.count >= count }
    } catch {
      Issue.record(error)
    }
  }
}
