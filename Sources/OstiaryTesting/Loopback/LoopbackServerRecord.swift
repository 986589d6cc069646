internal import Foundation
internal import OstiaryCore

/// What a server has seen, shared between its thread and the tests that ask.
final class LoopbackServerRecord: Sendable {
  struct Snapshot: Sendable {
    var requests: [LoopbackServer.Request] = []
    var connections = 0
    var open = 0
    var disconnections = 0
  }

  private struct Waiter {
    let condition: @Sendable (Snapshot) -> Bool
    let continuation: CheckedContinuation<Snapshot, any Error>
  }

  private struct State {
    var snapshot = Snapshot()
    var waiters: [UUID: Waiter] = [:]
    /// The end of the pipe that wakes the server's thread; `nil` once that thread has closed it.
    var wake: Int32?
    var isStopped = false
  }

  private let state: Locked<State>

  init(wake: Int32) {
    state = Locked(State(wake: wake))
  }

  var snapshot: Snapshot { state.withLock { $0.snapshot } }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  func stop() {
    state.withLock { $0.isStopped = true }
    wake()
  }

  /// Makes the server's thread look around.
  func wake() {
    // Under the lock, because the descriptor's number may belong to another file as soon as it is closed.
    state.withLock { state in
      if let descriptor = state.wake { LoopbackSocket.signal(descriptor) }
    }
  }

  /// Closes the waking end; called by the server's thread when it is done.
  func closeWake() {
    state.withLock { state in
      if let descriptor = state.wake { LoopbackSocket.close(descriptor) }
      state.wake = nil
    }
  }

  func update(_ change: @Sendable (inout Snapshot) -> Void) {
    let (ready, snapshot) = state.withLock { state in
      change(&state.snapshot)
      let snapshot = state.snapshot
      let ready = state.waiters.filter { $0.value.condition(snapshot) }
      for id in ready.keys { state.waiters[id] = nil }
      return (ready.values.map(\.continuation), snapshot)
    }
    for continuation in ready { continuation.resume(returning: snapshot) }
  }

  func wait(
    _ timeout: Duration, for what: String, until condition: @escaping @Sendable (Snapshot) -> Bool
  ) async throws -> Snapshot {
    try await withDeadline(timeout) {
      try await self.wait(until: condition)
    } timedOut: {
      OstiaryError(.timedOut, "The loopback server waited in vain for \(what).")
    }
  }

  private func wait(until condition: @escaping @Sendable (Snapshot) -> Bool) async throws -> Snapshot {
    let id = UUID()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let snapshot: Snapshot? = state.withLock { state in
          if condition(state.snapshot) { return state.snapshot }
          state.waiters[id] = Waiter(condition: condition, continuation: continuation)
          return nil
        }
        if let snapshot { continuation.resume(returning: snapshot) }
        // A cancellation that came before the waiter was there found nothing to cancel.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: UUID) {
    state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
  }
}
