/// Work that no single task owns: many tasks wait for it, and a cancelled task stops waiting without disturbing it.
package final class SharedWork<Value: Sendable>: Sendable {
  private struct State {
    var outcome: Result<Value, any Error>?
    var waiters: [UInt64: CheckedContinuation<Value, any Error>] = [:]
    /// Callers whose cancellation does not end their waiting.
    var patient: [CheckedContinuation<Result<Value, any Error>, Never>] = []
    var cancelled: Set<UInt64> = []
    var number: UInt64 = 0
    var task: Task<Void, Never>?
  }

  private let state = Locked(State())

  package init() {}

  /// Starts the work.
  package func launch(_ work: @escaping @Sendable () async throws -> Value) {
    let task = Task.detached {
      do { self.finish(.success(try await work())) } catch { self.finish(.failure(error)) }
    }
    state.withLock { $0.task = task }
  }

  /// Ends the waiting at once; what the work still finds out is thrown away.
  package func abandon(with error: any Error) {
    finish(.failure(error))
    state.withLock { $0.task }?.cancel()
  }

  /// Ends the waiting, if nothing has yet. Returns whether it did.
  @discardableResult
  package func finish(_ outcome: Result<Value, any Error>) -> Bool {
    let all = state.withLock { state -> State? in
      guard state.outcome == nil else { return nil }
      let before = state
      state.outcome = outcome
      (state.waiters, state.patient) = ([:], [])
      return before
    }
    for waiter in all.map({ Array($0.waiters.values) }) ?? [] { waiter.resume(with: outcome) }
    for waiter in all?.patient ?? [] { waiter.resume(returning: outcome) }
    return all != nil
  }

  /// The outcome, if it is there.
  package var known: Result<Value, any Error>? { state.withLock { $0.outcome } }

  /// The outcome, once it is there. A cancellation of the calling task does not end this waiting.
  package var outcome: Result<Value, any Error> {
    get async {
      await withCheckedContinuation { continuation in
        let known: Result<Value, any Error>? = state.withLock { state in
          if let outcome = state.outcome { return outcome }
          state.patient.append(continuation)
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    }
  }

  /// Waits for the outcome.
  /// - Throws: what the work threw, or `CancellationError` when the caller's task is cancelled first.
  package func value() async throws -> Value {
    let id = state.withLock { state in
      state.number &+= 1
      return state.number
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let known: Result<Value, any Error>? = state.withLock { state in
          if let outcome = state.outcome { return outcome }
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          state.waiters[id] = continuation
          return nil
        }
        if let known { continuation.resume(with: known) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
        guard let waiter = state.waiters.removeValue(forKey: id) else {
          if state.outcome == nil { state.cancelled.insert(id) }
          return nil
        }
        return waiter
      }
      waiter?.resume(throwing: CancellationError())
    }
  }
}
