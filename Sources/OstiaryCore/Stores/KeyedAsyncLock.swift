/// Lets one task at a time in, per key, first come, first served.
///
/// Waiting suspends the task and blocks no thread. A caller that is cancelled, or whose patience ends, leaves the queue; the
/// other callers keep their places. A store promises this to its callers. In ``AsyncSerialQueue`` every caller gets its turn.
package final class KeyedAsyncLock: Sendable {
  private typealias Waiter = CheckedContinuation<Void, any Error>

  private struct Line: Sendable {
    var order: [UInt64] = []
    var first = 0
    var waiters: [UInt64: Waiter] = [:]

    /// The next who still waits.
    mutating func next() -> Waiter? {
      while first < order.count {
        let ticket = order[first]
        first += 1
        if let waiter = waiters.removeValue(forKey: ticket) { return waiter }
      }
      return nil
    }
  }

  private struct State: Sendable {
    var lastTicket: UInt64 = 0
    /// A key is here while a task holds its lock.
    var lines: [SessionKey: Line] = [:]
  }

  private let state = Locked(State())
  private let clock: any SessionClock

  package init(clock: any SessionClock) {
    self.clock = clock
  }

  /// Comes in, waiting at most `patience`. Every return must be followed by one ``leave(_:)``.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when patience ran out; `CancellationError` when cancelled in line.
  package func enter(_ key: SessionKey, patience: Duration) async throws {
    let ticket = state.withLock { state -> UInt64? in
      guard state.lines[key] != nil else {
        state.lines[key] = Line()
        return nil
      }
      state.lastTicket &+= 1
      return state.lastTicket
    }
    guard let ticket else { return }
    guard patience > .zero else { throw OstiaryError.storeBusy }
    // Set and read under the line's lock, so that the task that is resumed finds it.
    let timer = Locked<Task<Void, any Error>?>(nil)
    defer { timer.withLock { $0?.cancel() } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let entry = state.withLock { state -> Result<Void, any Error>? in
          // The holder may have left since; a task that came in between holds it now.
          guard state.lines[key] != nil else {
            state.lines[key] = Line()
            return .success(())
          }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.lines[key]?.order.append(ticket)
          state.lines[key]?.waiters[ticket] = continuation
          timer.withLock { timer in
            timer = Task {
              try await clock.sleep(for: patience)
              abandon(ticket, key, OstiaryError.storeBusy)
            }
          }
          return nil
        }
        if let entry { continuation.resume(with: entry) }
      }
    } onCancel: {
      abandon(ticket, key, CancellationError())
    }
  }

  /// Goes out and lets the next one in.
  package func leave(_ key: SessionKey) {
    let next = state.withLock { state -> Waiter? in
      guard let waiter = state.lines[key]?.next() else {
        state.lines[key] = nil
        return nil
      }
      return waiter
    }
    next?.resume()
  }

  private func abandon(_ ticket: UInt64, _ key: SessionKey, _ error: any Error) {
    state.withLock { $0.lines[key]?.waiters.removeValue(forKey: ticket) }?.resume(throwing: error)
  }
}
