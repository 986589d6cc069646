import OstiaryCore

/// Counts something, and lets a test wait until it has happened often enough.
final class Tally: Sendable {
  private struct State: Sendable {
    var count = 0
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  var count: Int { state.withLock { $0.count } }

  func add() {
    let ready = state.withLock { state in
      state.count += 1
      let count = state.count
      defer { state.waiters.removeAll { $0.count <= count } }
      return state.waiters.filter { $0.count <= count }.map(\.continuation)
    }
    for continuation in ready { continuation.resume() }
  }

  /// Waits until there are so many. The suite's time limit bounds it.
  func wait(for count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.count < count { state.waiters.append((count, continuation)) }
        return state.count >= count
      }
      if isThere { continuation.resume() }
    }
  }
}
