import OstiaryCore

/// A value that tests wait on: a change wakes those who wait. Every wait is bounded, so that what is broken fails
/// its test instead of hanging it.
final class Awaited<State: Sendable>: Sendable {
  private struct Contents: Sendable {
    var state: State
    var count = 0
    var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  struct NeverCame: Error, CustomStringConvertible {
    let description: String
  }

  private let contents: Locked<Contents>

  init(_ state: State) {
    contents = Locked(Contents(state: state))
  }

  /// Reads the value.
  func read<Value: Sendable>(_ body: (State) -> Value) -> Value { contents.withLock { body($0.state) } }

  /// Changes the value.
  @discardableResult
  func update<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
    let (value, waiters) = contents.withLock { (change(&$0.state), Array($0.waiters.values)) }
    for waiter in waiters { waiter.yield() }
    return value
  }

  /// Waits until `extract` finds what it looks for.
  func wait<Value: Sendable>(
    for what: String, _ extract: @escaping @Sendable (State) -> Value?
  ) async throws -> Value {
    let (changes, waiter) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = contents.withLock { contents in
      contents.count += 1
      contents.waiters[contents.count] = waiter
      return contents.count
    }
    defer { contents.withLock { $0.waiters[number] = nil } }
    let limit = Task {
      try await Task.sleep(for: .seconds(120))
      waiter.finish()
    }
    defer { limit.cancel() }
    if let value = read(extract) { return value }
    for await _ in changes {
      if let value = read(extract) { return value }
    }
    throw NeverCame(description: "Waited in vain for \(what).")
  }
}
