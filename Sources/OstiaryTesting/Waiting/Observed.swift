import OstiaryCore

/// A value behind a lock that tests can wait on: every change wakes the tasks whose condition has come true.
///
/// Every wait is bounded, so that a broken program fails its test instead of hanging it.
final class Observed<State: Sendable>: Sendable {
  private struct Waiter: Sendable {
    /// Answers how to resume, once the state is what was waited for.
    let attempt: @Sendable (State) -> (@Sendable () -> Void)?
    let abandon: @Sendable (any Error) -> Void
  }

  private struct Contents: Sendable {
    var state: State
    var nextID: UInt64 = 0
    var waiters: [UInt64: Waiter] = [:]
  }

  private let contents: Locked<Contents>

  init(_ state: State) {
    contents = Locked(Contents(state: state))
  }

  /// Reads the value.
  func read<Value: Sendable>(_ body: (State) -> Value) -> Value {
    contents.withLock { body($0.state) }
  }

  /// Changes the value and wakes the tasks that waited for the change.
  @discardableResult
  func update<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
    let (value, satisfied) = contents.withLock { contents -> (Value, [@Sendable () -> Void]) in
      let value = change(&contents.state)
      var satisfied: [@Sendable () -> Void] = []
      for (id, waiter) in contents.waiters {
        guard let resume = waiter.attempt(contents.state) else { continue }
        contents.waiters[id] = nil
        satisfied.append(resume)
      }
      return (value, satisfied)
    }
    for resume in satisfied { resume() }
    return value
  }

  /// Waits until `extract` finds what it looks for.
  /// - Throws: ``WaitTimedOut`` when it was not there within `limit` of real time; `CancellationError`.
  func wait<Value: Sendable>(
    for awaited: String, within limit: Duration, _ extract: @escaping @Sendable (State) -> Value?
  ) async throws -> Value {
    if let value = read(extract) { return value }
    let id = contents.withLock { contents in
      contents.nextID += 1
      return contents.nextID
    }
    // Set and read under the lock, so that the task that is resumed finds it.
    let timer = Locked<Task<Void, any Error>?>(nil)
    defer { timer.withLock { $0?.cancel() } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
        let waiter = Waiter(
          attempt: { state in
            guard let value = extract(state) else { return nil }
            return { continuation.resume(returning: value) }
          },
          abandon: { continuation.resume(throwing: $0) })
        let resume = contents.withLock { contents -> (@Sendable () -> Void)? in
          if let resume = waiter.attempt(contents.state) { return resume }
          if Task.isCancelled { return { waiter.abandon(CancellationError()) } }
          contents.waiters[id] = waiter
          timer.withLock { timer in
            timer = Task {
              try await Task.sleep(for: limit)
              abandon(id, WaitTimedOut(awaited: awaited, limit: limit))
            }
          }
          return nil
        }
        resume?()
      }
    } onCancel: {
      abandon(id, CancellationError())
    }
  }

  private func abandon(_ id: UInt64, _ error: any Error) {
    contents.withLock { $0.waiters.removeValue(forKey: id) }?.abandon(error)
  }
}

/// Something that a test waited for did not happen in time.
public struct WaitTimedOut: Error, Sendable, CustomStringConvertible {
  /// What was waited for.
  public let awaited: String
  /// How long.
  public let limit: Duration

  public var description: String { "Waited \(limit) in vain for \(awaited)." }
}
