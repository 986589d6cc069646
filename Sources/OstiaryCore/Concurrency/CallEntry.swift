/// The ordered entry of one object: its calls begin in the order in which they were made, from any thread.
///
/// A call captures here, before it returns, whom it is about, with which settings and which address. The captured value
/// travels with the call, and nothing on the way reads the current user again. Only captures and changes of the user or of
/// settings are ordered: what follows a capture runs side by side.
///
/// A capture that can be made at once is made on the caller's thread. One that can't, because the store is unread for example,
/// waits its turn, and so do those that come after it. The thread of a caller never waits.
package final class CallEntry: Sendable {
  private struct State {
    /// The captures that wait, in order.
    var queue: [@Sendable () async -> Void] = []
    var isBusy = false
  }

  private let state = Locked(State())

  /// Makes an entry without calls.
  package init() {}

  /// Captures what a call is about.
  /// - Parameters:
  ///   - now: makes the capture at once, on this thread; `nil` when it can't be made yet. It is called while the entry is
  ///     locked: it must be short, must not call the entry, and must not call the app.
  ///   - later: makes the capture when its turn has come. The next call begins when it returns: it must be bounded.
  package func capture<Value: Sendable>(
    now: () throws -> Value?, later: @escaping @Sendable () async throws -> Value
  ) -> CapturedCall<Value> {
    let call = state.withLock { state -> CapturedCall<Value> in
      if !state.isBusy, state.queue.isEmpty {
        do {
          if let value = try now() { return CapturedCall(.success(value)) }
        } catch {
          return CapturedCall(.failure(error))
        }
      }
      let work = SharedWork<Value>()
      state.queue.append {
        do { work.finish(.success(try await later())) } catch { work.finish(.failure(error)) }
      }
      return CapturedCall(waiting: work)
    }
    runQueue()
    return call
  }

  /// Captures when the turn of this call has come.
  package func capture<Value: Sendable>(
    _ later: @escaping @Sendable () async throws -> Value
  ) -> CapturedCall<Value> {
    capture(now: { nil }, later: later)
  }

  private func runQueue() {
    let begins = state.withLock { state in
      guard !state.isBusy, !state.queue.isEmpty else { return false }
      state.isBusy = true
      return true
    }
    guard begins else { return }
    // The queue belongs to no caller: a cancelled one must not stop those behind it.
    Task.detached { [self] in
      while let next = takeNext() { await next() }
    }
  }

  private func takeNext() -> (@Sendable () async -> Void)? {
    state.withLock { state in
      guard !state.queue.isEmpty else {
        state.isBusy = false
        return nil
      }
      return state.queue.removeFirst()
    }
  }
}

/// What a call is about, captured when the call was made.
package struct CapturedCall<Value: Sendable>: Sendable {
  private enum Content: Sendable {
    case known(Result<Value, any Error>)
    case waiting(SharedWork<Value>)
  }

  private let content: Content

  /// A capture that was made at once.
  package init(_ result: Result<Value, any Error>) { content = .known(result) }

  fileprivate init(waiting work: SharedWork<Value>) { content = .waiting(work) }

  /// What was captured, once the call's turn has come.
  /// - Throws: what prevented the capture; `CancellationError` when the calling task is cancelled before.
  package var value: Value {
    get async throws {
      switch content {
      case .known(let result): try result.get()
      case .waiting(let work): try await work.value()
      }
    }
  }

  /// What was captured, or what prevented it; also for a calling task that is cancelled.
  package var outcome: Result<Value, any Error> {
    get async {
      switch content {
      case .known(let result): result
      case .waiting(let work): await work.outcome
      }
    }
  }

  /// Goes on with the call in a task of its own and hands the outcome over, exactly once, also after a cancellation.
  /// - Parameters:
  ///   - work: does what the call is for, with what was captured.
  ///   - completion: gets the outcome.
  /// - Returns: the task, for a call that can be cancelled.
  @discardableResult
  package func start<Outcome: Sendable>(
    _ work: @escaping @Sendable (Value) async throws -> Outcome,
    completion: @escaping @Sendable (Result<Outcome, any Error>) async -> Void
  ) -> Task<Void, Never> {
    Task {
      let outcome: Result<Outcome, any Error>
      do { outcome = .success(try await work(value)) } catch { outcome = .failure(error) }
      await completion(outcome)
    }
  }
}
