internal import OstiaryCore

/// Counts the calls under way: no call may reach the database after it has been closed, because GRDB traps there.
final class StorageUse: Sendable {
  private let state = Locked(State())

  private struct State {
    var active = 0
    var isClosed = false
    var closers: [CheckedContinuation<Void, Never>] = []

    mutating func takeClosers() -> [CheckedContinuation<Void, Never>] {
      defer { closers = [] }
      return closers
    }
  }

  /// Runs `body` unless the storage has been closed.
  /// - Throws: `storageClosed`.
  func use<Value: Sendable>(_ body: () async throws(ServerError) -> Value) async throws(ServerError) -> Value {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.active += 1 }
      return !state.isClosed
    }
    guard isOpen else {
      throw ServerError(
        .storageClosed, "The database has been closed.", advice: "Start the server again.", retryAfter: .seconds(5))
    }
    defer {
      let closers = state.withLock { state in
        state.active -= 1
        return state.isClosed && state.active == 0 ? state.takeClosers() : []
      }
      for closer in closers { closer.resume() }
    }
    return try await body()
  }

  /// Refuses new calls and waits for those under way. Returns whether this was the first call.
  func close() async -> Bool {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.active > 0 { state.closers.append(continuation) }
        return state.active == 0
      }
      if isIdle { continuation.resume() }
    }
    return isFirst
  }
}
